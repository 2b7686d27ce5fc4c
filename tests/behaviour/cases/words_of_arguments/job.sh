#!/bin/bash
#SBATCH --ntasks=1
ARGS=$1
python3 show.py $ARGS end
python3 show.py "$ARGS" end
for one in $ARGS; do
  python3 show.py "one $one"
done
