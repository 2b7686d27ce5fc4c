#!/bin/bash
#SBATCH --job-name=srun
srun python show.py a "b c"
