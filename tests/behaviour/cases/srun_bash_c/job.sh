#!/bin/bash
#SBATCH --job-name=srun_bash
srun bash -c 'echo "inner $SLURM_PROCID"; exit 3'
