#!/bin/bash
#SBATCH --job-name=study
#SBATCH --cpus-per-task=4
#SBATCH --mem=8G
#SBATCH --time=10
SET=${1:-small}
OUT=results_$SLURM_JOB_ID
LOG=$OUT.$SET.log
export STUDY_OUT=$OUT
echo "on $SLURMD_NODENAME with $SLURM_NTASKS tasks and $SLURM_CPUS_PER_TASK CPUs"
python study.py --set "$SET" --out "$OUT" > $LOG
OUT=again_$SLURM_JOB_ID
export STUDY_OUT=$OUT STUDY_ROUND=2
python study.py --set "$SET" --out $OUT $NOTHING
NOTHING=left
