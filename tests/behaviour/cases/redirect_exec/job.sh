#!/bin/bash
#SBATCH --job-name=redirect_exec
exec > log.txt 2>&1
echo "to the log"
python both.py x
