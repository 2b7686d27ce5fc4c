#!/bin/bash
#SBATCH --job-name=steps_gpus
#SBATCH --ntasks=2
#SBATCH --gres=gpu:2
srun -n1 --exact --gres=gpu:1 python own.py a 2 &
srun -n1 --exact --gres=gpu:1 python own.py b 2 &
wait
srun -n1 --gpus=1 python own.py c 2
srun -n1 python own.py d 2
