#!/bin/bash
#SBATCH --job-name=srun_not_found
srun no_such_program
echo "status $?"
