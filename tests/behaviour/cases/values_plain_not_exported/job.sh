#!/bin/bash
#SBATCH --job-name=not_exported
DATA=secret_dir
python variables.py DATA
bash -c 'echo "[$DATA]"'
sh -c "echo [$DATA]"
