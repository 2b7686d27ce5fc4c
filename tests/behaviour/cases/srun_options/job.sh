#!/bin/bash
#SBATCH --job-name=srun_options
#SBATCH --cpus-per-task=2
srun --ntasks=1 --cpu-bind=cores --unbuffered python train.py --lr 0.2
srun -n1 -c2 python show.py x > out.txt
