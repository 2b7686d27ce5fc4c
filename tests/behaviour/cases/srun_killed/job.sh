#!/bin/bash
#SBATCH --job-name=srun_killed
srun python end.py KILL
echo "status $?"
