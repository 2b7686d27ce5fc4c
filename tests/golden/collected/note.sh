#!/bin/bash
#SBATCH --time=5
while read -r name value; do
  echo "${name^^} is $value"
done < "$SLURM_SUBMIT_DIR/spread.txt"
