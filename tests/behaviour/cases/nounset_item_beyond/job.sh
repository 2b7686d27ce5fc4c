#!/bin/bash
#SBATCH --job-name=nounset_item_beyond
set -u
LIST=(a b)
python show.py "${LIST[1]}"
python show.py "${LIST[2]}"
python show.py "not reached"
