#!/bin/bash
#SBATCH --job-name=srun_output
mkdir -p logs
srun --output=logs/step.out --error=logs/step.err python both.py x
cat logs/step.out logs/step.err
