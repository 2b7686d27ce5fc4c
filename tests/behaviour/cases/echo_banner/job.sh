#!/bin/bash
#SBATCH --job-name=banner
echo "=========="
echo "Job: $SLURM_JOB_NAME on $(uname -s)"
echo "Dir: $PWD"
python show.py x
echo "=========="
