#!/bin/bash
#SBATCH --job-name="name with blanks"
python show.py "$SLURM_JOB_NAME" $SLURM_JOB_NAME
