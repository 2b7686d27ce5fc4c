#!/bin/bash
#SBATCH --job-name=steps_gpus
#SBATCH --ntasks=2
#SBATCH --gres=gpu:2
srun -n1 --exact --gres=gpu:1 python shown_gpus.py a 2 &
srun -n1 --exact --gres=gpu:1 python shown_gpus.py b 2 &
wait
srun -n1 --gpus=1 python shown_gpus.py c 2
srun -n1 python shown_gpus.py d 2
