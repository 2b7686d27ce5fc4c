#!/bin/bash
#SBATCH --job-name=align
#SBATCH --array=1-3

# One sample for each element.
LIST=/project/lab/samples.tsv
SAMPLE=$(awk -v line=$SLURM_ARRAY_TASK_ID 'NR == line {print $1}' "$LIST")
DEPTH=$(sed -n "${SLURM_ARRAY_TASK_ID}p" $LIST | cut -f2)
OPTION=$(sed -n "${SLURM_ARRAY_TASK_ID}p" options.txt)
python align.py "$SAMPLE" "$DEPTH" "$OPTION"
