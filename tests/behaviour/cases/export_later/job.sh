#!/bin/bash
#SBATCH --job-name=export_later
python variables.py MODE
export MODE=fast
python variables.py MODE
export MODE=slow
python variables.py MODE
