#!/bin/bash
#SBATCH --job-name=big
python end.py 255
