#!/bin/bash
#SBATCH --job-name=on_node
#SBATCH --ntasks=2
#SBATCH --cpus-per-task=2
export OMP_NUM_THREADS=$SLURM_CPUS_ON_NODE
python variables.py OMP_NUM_THREADS
echo "$SLURM_JOB_CPUS_PER_NODE $SLURM_JOB_NUM_NODES"
[ "$SLURM_JOB_USER" = "$(whoami)" ] && echo same user
