#!/bin/bash
#SBATCH --job-name=pipe
set -e
python end.py 9 | cat
python show.py after
