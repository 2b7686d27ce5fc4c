#!/bin/bash
#SBATCH --job-name=export_name
MODE=fast
export MODE
python variables.py MODE
