#!/bin/bash
#SBATCH --job-name=items_of_list
OPTS=("--lr 0.1" "--lr 0.2")
python show.py ${OPTS[1]} "${OPTS[0]}"
for o in "${OPTS[@]}"; do
  python show.py $o "$o"
done
