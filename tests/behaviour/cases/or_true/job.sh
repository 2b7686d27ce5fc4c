#!/bin/bash
#SBATCH --job-name=or_true
set -e
python end.py 3 || true
python show.py after
