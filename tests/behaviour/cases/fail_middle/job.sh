#!/bin/bash
#SBATCH --job-name=middle
python end.py 0
python end.py 3
python show.py after
