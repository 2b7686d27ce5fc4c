#!/bin/bash
#SBATCH --job-name=source_missing
source not_there.sh
echo "status $?"
python show.py after
