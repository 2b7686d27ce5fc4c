#!/bin/bash
#SBATCH --job-name=for_break
for i in 1 2 3 4; do
    if [ $i -eq 2 ]; then continue; fi
    if [ $i -eq 4 ]; then break; fi
    python show.py $i
done
