#!/bin/bash
#SBATCH --job-name=run_time
NAME="$SLURM_JOB_NAME"
OUT=$SLURM_SUBMIT_DIR/out
mkdir -p "$OUT"
python show.py "$NAME" > "$OUT/$NAME.txt"
cat $OUT/$NAME.txt
