#!/bin/bash
#SBATCH --job-name=tmp
WORK=$(mktemp -d)
cp data.txt "$WORK/"
cd "$WORK"
python -c 'print(open("data.txt").read().strip())'
cd "$SLURM_SUBMIT_DIR"
rm -rf "$WORK"
ls data.txt
