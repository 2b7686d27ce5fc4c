#!/bin/bash
#SBATCH --job-name=while_true
i=1
while true; do
    i=$((i * 2))
    if [ $i -gt 20 ]; then break; fi
done
python show.py $i
