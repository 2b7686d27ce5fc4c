#!/bin/bash
#SBATCH --job-name=cd_missing_errexit
set -e
python show.py before
cd nowhere
python show.py never
