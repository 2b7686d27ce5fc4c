#!/bin/bash
#SBATCH --job-name=steps_room_files
#SBATCH --ntasks=4
#SBATCH --cpus-per-task=1
pids=()
for i in 1 2 3 4 5; do
  srun -n1 -c2 python beside.py 2 $i > out_$i.txt &
done
wait
cat out_1.txt out_2.txt out_3.txt out_4.txt out_5.txt
