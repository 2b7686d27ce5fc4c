#!/bin/bash
#SBATCH --job-name=unset_slurm
python show.py "[$SLURM_ARRAY_JOB_ID]" "$SLURM_NTASKS_PER_NODE" "$SLURM_GPUS"
python variables.py SLURM_ARRAY_JOB_ID SLURM_GPUS SLURM_MEM_PER_CPU
