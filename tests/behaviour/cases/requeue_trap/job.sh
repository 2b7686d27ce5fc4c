#!/bin/bash
#SBATCH --job-name=requeue
#SBATCH --requeue
#SBATCH --signal=B:USR1@60
trap 'echo again; scontrol requeue $SLURM_JOB_ID' USR1
python -c 'import os; os.makedirs("ckpt", exist_ok=True); open("ckpt/step", "w").write("3"); raise SystemExit(4)' --save-dir ckpt &
PID=$!
wait $PID
