#!/bin/bash
# runs on each node
source /opt/site/env.sh
GPUS=4
echo "on $(hostname)"
torchrun --nnodes=$SLURM_NNODES --nproc_per_node=$GPUS --node_rank=$SLURM_NODEID \
  --master_addr=$1 --master_port=29500 finetune.py --words words.txt --lr 2e-5
