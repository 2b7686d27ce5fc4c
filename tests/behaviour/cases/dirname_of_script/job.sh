#!/bin/bash
#SBATCH --job-name=dirname
HERE="$(cd "$(dirname "$0")" && pwd)"
python show.py one
ls "$HERE/data.txt"
echo "status $?"
