#!/bin/bash
#SBATCH --job-name=branch_export
if [ -f job.sh ]; then export MODE=fast; else export OTHER=x; fi
python variables.py MODE OTHER
