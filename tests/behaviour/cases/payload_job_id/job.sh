#!/bin/bash
#SBATCH --job-name=job_id
python show.py "$SLURM_JOB_ID" > "run_$SLURM_JOB_ID.txt"
