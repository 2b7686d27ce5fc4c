#!/bin/bash
#SBATCH --job-name=staging
cp data.txt "$TMPDIR"
cd $TMPDIR
python -c 'print(open("data.txt").read().upper())' > upper.txt
cp upper.txt $SLURM_SUBMIT_DIR/
rm data.txt upper.txt
cd "$SLURM_SUBMIT_DIR"
cat upper.txt
