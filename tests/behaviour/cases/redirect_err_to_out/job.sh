#!/bin/bash
#SBATCH --job-name=err_to_out
python both.py 1 2>&1
