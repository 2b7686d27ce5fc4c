#!/bin/sh
#SBATCH --job-name=sh
NAME=x
python show.py "$NAME"
echo "tab\tend"
for i in a b; do
    python show.py $i
done
exit 3
