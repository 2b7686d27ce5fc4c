#!/bin/bash
#SBATCH --job-name=tracked
WANDB_API_KEY="00aa11bb22cc33dd44ee55ff00aa11bb22cc33dd"
docker run --rm -e WANDB_API_KEY=$WANDB_API_KEY -e MODE=fast ubuntu:22.04 python tracked.py
