#!/bin/bash
#SBATCH --export=ALL,WANDB_API_KEY=aaaabbbbccccddddeeeeffff0000111122223333
#SBATCH --time=5
python3 send.py --key $WANDB_API_KEY
