#!/bin/bash
#SBATCH --job-name=nullglob_split
shopt -s nullglob
which=$1
python show.py $which*.txt
python show.py $which*.none end
OPTS="--fast a[b data/*.csv none/*.csv"
python show.py $OPTS
for f in $which/*.csv $OPTS; do
    echo "<$f>"
done
WORDS=$(echo "x *.none y")
python show.py $WORDS
