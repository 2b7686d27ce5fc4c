#!/bin/bash
#SBATCH --job-name=label
srun --label python show.py x
