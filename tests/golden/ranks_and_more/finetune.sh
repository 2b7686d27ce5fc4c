#!/bin/bash
#SBATCH --job-name=finetune
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --gpus-per-node=4
#SBATCH --cpus-per-task=16
#SBATCH --mem=128G
#SBATCH --time=04:00:00
set -e
export MASTER_ADDR=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)

# once, for all nodes
python prepare.py --words 100 --out words.txt
cat > settings.json <<EOF
{"dropout": 0.1}
EOF

# one launcher a node
srun bash node.sh "$MASTER_ADDR" || exit 1

python report.py --run run-1
