#!/bin/bash
# What the jobs read
python make_list.py --count 3 > list.txt
mkdir -p logs
for size in small large; do
  id=$(sbatch --parsable work.sh $size)
  sbatch --dependency=afterany:$id look.sh $size
done
