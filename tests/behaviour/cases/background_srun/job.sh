#!/bin/bash
#SBATCH --job-name=background_srun
#SBATCH --ntasks=2
srun -n 1 --exact python show.py a > a.txt &
srun -n 1 --exact python show.py b > b.txt &
wait
