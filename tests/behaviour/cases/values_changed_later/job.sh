#!/bin/bash
#SBATCH --job-name=changed
X=1
python show.py $X
X=2
python show.py $X
X="$X$X"
python show.py $X
