#!/bin/bash
#SBATCH --job-name=steps_overlap
#SBATCH --ntasks=1
for i in 1 2 3; do
  srun -n1 --overlap python show.py $i &
done
wait
