#!/bin/bash
#SBATCH --job-name=steps_room
#SBATCH --ntasks=2
for i in 1 2 3 4 5; do
  srun -n1 --exact python beside.py 2 $i &
done
wait
echo all
