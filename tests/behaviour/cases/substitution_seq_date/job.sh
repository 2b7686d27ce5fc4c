#!/bin/bash
#SBATCH --job-name=date
YEAR=$(date -d 2020-05-17 +%Y)
STAMP=$(date -u -d @0 +%Y%m%d_%H%M%S)
mkdir -p run_$STAMP
python show.py "$YEAR" "$(seq -s, 1 3)"
