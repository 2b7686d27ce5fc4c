#!/bin/bash
#SBATCH --job-name=export_unset
export MODE=fast
unset MODE
python variables.py MODE
