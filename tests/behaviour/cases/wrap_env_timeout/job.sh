#!/bin/bash
#SBATCH --job-name=wrappers
env A=1 B="x y" python variables.py A B
timeout 30s python end.py 4
echo "status $?"
nice python show.py nice
