#!/bin/bash
#SBATCH --job-name=train
#SBATCH --gres=gpu:1
docker build -t tools -f docker/Dockerfile docker
docker run --rm --gpus all --ipc host tools python infer.py --epochs 3
