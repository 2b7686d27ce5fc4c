#!/bin/bash
#SBATCH --job-name=arrays_append
ARGS=(--epochs 2)
ARGS+=(--half)
ARGS+=(--tags x "y z")
python train.py "${ARGS[@]}"
