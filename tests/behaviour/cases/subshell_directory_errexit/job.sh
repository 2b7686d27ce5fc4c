#!/bin/bash
#SBATCH --job-name=subshell_errexit
set -e
( cd sub; python ../show.py in; )
python where.py
( cd sub; false; echo never )
echo never
