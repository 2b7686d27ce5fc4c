#!/bin/bash
#SBATCH --job-name=of_unset
CMD="python show.py --data $DATA"
eval $CMD
python show.py "$SCRATCHDIR/tmp"
f() { eval "$1"; }
f "python show.py in $DATA"
eval python show.py -d $DATA
