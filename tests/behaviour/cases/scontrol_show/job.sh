#!/bin/bash
#SBATCH --job-name=scontrol
for host in $(scontrol show hostnames "$SLURM_JOB_NODELIST"); do
    echo "host"
done
