#!/bin/bash
#SBATCH --job-name=nounset
set -u
python show.py before
python show.py "$NOT_SET_ANYWHERE"
python show.py never
