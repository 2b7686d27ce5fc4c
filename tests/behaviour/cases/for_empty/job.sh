#!/bin/bash
#SBATCH --job-name=for_empty
NOTHING=""
python end.py 4
for x in $NOTHING; do
    echo never
done
