#!/bin/bash
#SBATCH --job-name=last_or
python end.py 2 || python end.py 5
