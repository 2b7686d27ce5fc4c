#!/bin/bash
#SBATCH --job-name=tee_pipefail
set -o pipefail
python end.py 3 | tee log.txt
