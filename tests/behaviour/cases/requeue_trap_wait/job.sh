#!/bin/bash
#SBATCH --job-name=requeue
handler() {
  echo "requeued at $(date)"
  scontrol requeue "$SLURM_JOB_ID"
}
trap handler SIGUSR1
python -c 'import os; os.makedirs("ckpt", exist_ok=True); open("ckpt/step", "w").write("3"); raise SystemExit(4)' --save_dir=./ckpt &
wait
echo behind
