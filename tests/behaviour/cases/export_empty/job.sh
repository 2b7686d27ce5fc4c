#!/bin/bash
#SBATCH --job-name=export_empty
export CUDA_VISIBLE_DEVICES=
export FLAG=""
python variables.py CUDA_VISIBLE_DEVICES FLAG
