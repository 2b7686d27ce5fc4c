#!/bin/bash
#SBATCH --job-name=integer
declare -i TASKS=$SLURM_NTASKS
declare -i COUNT=12
sh -c 'echo "$@"' sh $TASKS "$COUNT" data_$COUNT.txt
