#!/bin/bash
#SBATCH --job-name=trap_err
trap 'echo "failed: $?"' ERR
python end.py 3
python show.py after
