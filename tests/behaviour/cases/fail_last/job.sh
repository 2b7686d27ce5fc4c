#!/bin/bash
#SBATCH --job-name=last
python show.py before
python end.py 3
