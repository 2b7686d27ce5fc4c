#!/bin/bash
#SBATCH --job-name=pretrain
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --gpus-per-node=h100:8
#SBATCH --cpus-per-task=64
#SBATCH --mem=512G
#SBATCH --time=1-00:00:00
#SBATCH --requeue

# Where the ranks meet.
nodes=( $(scontrol show hostnames "$SLURM_JOB_NODELIST") )
head_node=${nodes[0]}
export MASTER_ADDR=$(srun --nodes=1 --ntasks=1 -w "$head_node" hostname --ip-address)
export MASTER_PORT=$((10000 + SLURM_JOB_ID % 10000))
export NCCL_DEBUG=WARN
export NCCL_SOCKET_IFNAME=ib0
GPUS_PER_NODE=8

echo "first node: $head_node"
mkdir -p ckpt
srun --cpu-bind=none torchrun --nnodes=$SLURM_NNODES --nproc_per_node=$GPUS_PER_NODE \
    --rdzv_id=$SLURM_JOB_ID --rdzv_backend=c10d --rdzv_endpoint=$MASTER_ADDR:$MASTER_PORT \
    pretrain.py --ckpt ckpt --steps 1000
