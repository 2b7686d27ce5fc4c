#!/bin/bash
#SBATCH --job-name=tee_amp
python both.py 1 |& tee log.txt > /dev/null
