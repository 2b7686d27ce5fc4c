#!/bin/bash
#SBATCH --job-name=srun_status
srun python end.py 3
echo "status $?"
srun python end.py 4
