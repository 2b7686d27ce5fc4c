#!/bin/bash
#SBATCH -J shard
python shard.py --shard $SLURM_ARRAY_TASK_ID > out_$SLURM_ARRAY_TASK_ID.txt
