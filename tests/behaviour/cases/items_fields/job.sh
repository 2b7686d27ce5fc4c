#!/bin/bash
#SBATCH --job-name=items_fields
#SBATCH --array=0-5
N=$((SLURM_ARRAY_TASK_ID + 1))
A=$(sed -n "${N}p" table.csv | cut -d, -f2)
B=$(sed -n ${N}p table.csv | cut -f 1 -d ',')
C=$(awk -F, -v n="$N" 'NR==n {print $3}' table.csv)
D=$(head -n $N table.csv | tail -1 | tr -d '\r' | cut -d',' -f3)
E=$(sed -n "${N}p" table.csv | awk '{print $2}')
F=$(cat table.csv | awk -F',' "NR==$N{print \$1;exit}")
python show.py "$A" "$B" "$C" "$D" "$E" "$F"
