#!/bin/bash -e
#SBATCH --job-name=shebang
python end.py 5
python show.py never
