#!/bin/bash
#SBATCH --job-name=arrays
ARGS=(--lr 0.5 --name "a b")
python train.py "${ARGS[@]}"
python show.py "${#ARGS[@]}" "${ARGS[3]}" "${ARGS[*]}"
