#!/bin/bash
#SBATCH --job-name=killed
python end.py KILL
