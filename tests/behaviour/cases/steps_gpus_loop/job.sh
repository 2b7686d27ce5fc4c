#!/bin/bash
#SBATCH --job-name=steps_gpus_loop
#SBATCH --ntasks=8
#SBATCH --gres=gpu:4
for fold in 1 2 3 4 5; do
  srun -n1 --exact --gpus-per-task=2 python shown_gpus.py $fold 4 &
done
wait
