#!/bin/bash
#SBATCH --job-name=items_lines
#SBATCH --array=1-7
A=$(sed -n "${SLURM_ARRAY_TASK_ID}p" list.txt)
B=`sed "${SLURM_ARRAY_TASK_ID}q;d" ./list.txt`
C=$(awk "NR==$SLURM_ARRAY_TASK_ID" list.txt)
D=$(awk -v n=$SLURM_ARRAY_TASK_ID 'NR == n {print $2}' list.txt)
E=$(awk 'NR==ENVIRON["SLURM_ARRAY_TASK_ID"]{print $1}' list.txt)
F=$(head -n $SLURM_ARRAY_TASK_ID list.txt | tail -n 1)
G=$(tail -n +$SLURM_ARRAY_TASK_ID list.txt | head -1)
H=$(sed -n "$((SLURM_ARRAY_TASK_ID + 1))p" list.txt)
I=$(cat list.txt | sed -n "$SLURM_ARRAY_TASK_ID p")
python show.py "$A" "$B" "$C" "$D" "$E" "$F" "$G" "$H" "$I"
