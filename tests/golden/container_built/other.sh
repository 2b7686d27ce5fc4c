#!/bin/bash
#SBATCH --job-name=other
docker build --build-arg CUDA=12 -t tools:1 .
docker run --rm tools:1 python infer.py
