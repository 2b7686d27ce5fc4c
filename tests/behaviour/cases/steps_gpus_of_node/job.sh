#!/bin/bash
#SBATCH --job-name=steps_gpus_of_node
#SBATCH --gpus-per-node=4
srun -n1 --gpus=1 python shown_gpus.py a 4
srun -n1 --gpus-per-task=2 python shown_gpus.py b 4
srun -n1 --gpus-per-node=2 python shown_gpus.py c 4
srun -n1 --gres=gpu:3 python shown_gpus.py d 4
srun -n1 --gres=gpu:0 python shown_gpus.py e 4
