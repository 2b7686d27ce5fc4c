#!/bin/bash -eu
#SBATCH --job-name=flags
python show.py a
echo "${1:-none}"
python end.py 2
echo never
