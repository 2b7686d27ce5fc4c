#!/bin/bash
#SBATCH --job-name=pipefail_rightmost
set -o pipefail
python end.py 3 | python end.py 5 | cat
