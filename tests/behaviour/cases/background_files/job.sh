#!/bin/bash
#SBATCH --job-name=background_files
for i in 1 2 3; do
  python show.py "part $i" > "part_$i.txt" &
done
wait
cat part_1.txt part_2.txt part_3.txt
