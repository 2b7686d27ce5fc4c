#!/bin/bash
#SBATCH --job-name=items_mapfile
#SBATCH --array=0-4
mapfile -t LINES_OF < list.txt
readarray -t PATHS < "list.txt"
WORDS=($(cat list.txt))
MORE=($(<list.txt))
A=${LINES_OF[$SLURM_ARRAY_TASK_ID]}
echo "$A|${PATHS[$SLURM_ARRAY_TASK_ID]}|${WORDS[SLURM_ARRAY_TASK_ID]}|${MORE[$((SLURM_ARRAY_TASK_ID * 2))]}"
