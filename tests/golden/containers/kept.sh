#!/bin/bash
#SBATCH --job-name=kept
IMG=docker://ubuntu:22.04
shopt -s nullglob
for f in data/*; do
  singularity exec -B /scratch:/scratch --env NAME="$f" $IMG sh -c 'echo "$NAME"'
done
