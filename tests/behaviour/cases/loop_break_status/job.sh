#!/bin/bash
#SBATCH --job-name=break_status
for i in 1 2; do
    python end.py 3 || break
done
