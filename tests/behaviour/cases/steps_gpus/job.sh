#!/bin/bash
#SBATCH --job-name=steps_gpus
#SBATCH --ntasks=2
#SBATCH --gres=gpu:2
srun -n1 --exact --gres=gpu:1 python own.py a &
srun -n1 --exact --gres=gpu:1 python own.py b &
wait
srun -n1 --gpus=1 python own.py c
srun -n1 python own.py d
