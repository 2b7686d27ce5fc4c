#!/bin/bash
#SBATCH --job-name=and_or
python end.py 1 && echo good || echo bad
python end.py 0 && echo good || echo bad
