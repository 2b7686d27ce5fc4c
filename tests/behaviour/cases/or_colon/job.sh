#!/bin/bash
#SBATCH --job-name=or_colon
set -e
mkdir nowhere/at/all 2>/dev/null || :
python show.py after
