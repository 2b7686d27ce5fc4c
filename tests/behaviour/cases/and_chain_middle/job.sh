#!/bin/bash
#SBATCH --job-name=and_middle
set -e
python end.py 3 && python show.py never
python show.py after
