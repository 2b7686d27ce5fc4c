#!/bin/bash
#SBATCH --job-name=items_fails
#SBATCH --array=1-3
set -euo pipefail
SAMPLE=$(awk "NR==$SLURM_ARRAY_TASK_ID" samples.txt)
echo "start $SAMPLE"
[ "$SAMPLE" != bad ]
python show.py "$SAMPLE" > "$SAMPLE.out"
