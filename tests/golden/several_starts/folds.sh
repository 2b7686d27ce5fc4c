#!/bin/bash
#SBATCH --job-name=folds
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=2
#SBATCH --gpus-per-node=a100:2
#SBATCH --time=02:00:00
# One model for each fold, one after the other.
export MASTER_ADDR=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
export MASTER_PORT=29500
for fold in 0 1 2; do
    echo "fold $fold"
    srun python fit.py --fold $fold --lr 0.01
done
