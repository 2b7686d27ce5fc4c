#!/bin/bash
#SBATCH --job-name=pipefail_last
set -o pipefail
python end.py 9 | cat
