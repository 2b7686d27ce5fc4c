#!/bin/bash
#SBATCH --job-name=interrupted
python end.py 130
