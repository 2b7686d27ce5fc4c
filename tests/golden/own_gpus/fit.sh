#!/bin/bash
#SBATCH --job-name=fit
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=4
#SBATCH --gpus-per-task=1
#SBATCH --cpus-per-task=6
#SBATCH --mem=64G
#SBATCH --distribution=block:block
#SBATCH --hint=nomultithread
#SBATCH --time=12:00:00

export MASTER_ADDR=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
export MASTER_PORT=29500

srun --cpu-bind=cores python fit.py --epochs 10
