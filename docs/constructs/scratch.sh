#!/bin/bash
#SBATCH --job-name=scratch
#SBATCH --tmp=100G
cp /scratch/project/data.tar "$TMPDIR/"
cd "$TMPDIR" || exit 1
tar xf data.tar
python "$SLURM_SUBMIT_DIR/train.py"
cp model.json "$SLURM_SUBMIT_DIR/"
