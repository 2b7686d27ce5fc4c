#!/bin/bash
#SBATCH --job-name=steps_room_missing
#SBATCH --ntasks=1
for i in 1 2 3; do
  srun -n1 --exact python beside.py 1 $i &
  srun -n1 --exact python no_such_file.py $i &
done
wait
echo "last $?"
