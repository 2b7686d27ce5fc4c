#!/bin/bash
#SBATCH --job-name=by_variable
LOG=logs/run.log
mkdir -p logs
python both.py a > $LOG 2>&1
python both.py b >> "$LOG" 2>&1
