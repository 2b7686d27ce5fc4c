#!/bin/bash
#SBATCH --job-name=cd_submit
cd $SLURM_SUBMIT_DIR
python show.py here
cd "$SLURM_SUBMIT_DIR/sub"
pwd
