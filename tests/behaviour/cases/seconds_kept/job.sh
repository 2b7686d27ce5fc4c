#!/bin/bash
#SBATCH --job-name=seconds_kept
SECONDS=100
trap 'echo left' EXIT
[ $SECONDS -ge 100 ] && echo "counted on"
sh -c 'exit 3'
