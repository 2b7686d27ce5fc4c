#!/bin/bash
#SBATCH --job-name=variables
#SBATCH --cpus-per-task=4
#SBATCH --export=ALL,MODE=full

export OMP_NUM_THREADS=$SLURM_CPUS_PER_TASK
echo "job $SLURM_JOB_ID on $SLURMD_NODENAME"
python train.py --data "$MODE"
