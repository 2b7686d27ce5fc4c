#!/bin/bash
#SBATCH --job-name=hosts_of_one_node
FIRST=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
ALL=`scontrol show hostnames $SLURM_JOB_NODELIST`
COUNT=$(scontrol show hostnames | wc -l)
LIST=$(scontrol show hostnames $SLURM_JOB_NODELIST | paste -d, -s)
[ "$FIRST" = "$ALL" ] && [ "$FIRST" = "$LIST" ] && echo "one node"
python show.py "$COUNT"
