#!/bin/bash
#SBATCH --job-name=mkdir_plain
mkdir logs
mkdir logs
echo "status $?"
mkdir -p logs results/a results/b
