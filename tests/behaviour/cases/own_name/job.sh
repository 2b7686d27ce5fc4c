#!/bin/bash
#SBATCH --job-name=own_name
NAME=$(basename $0)
python show.py "${NAME%.sh}" "${0##*/}"
echo "done"
