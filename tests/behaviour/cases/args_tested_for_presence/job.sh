#!/bin/bash
#SBATCH --job-name=tested_presence
DIR=data/default
if [ -n "$1" ]; then DIR=$1; fi
python show.py --dir "$DIR"
if [[ -z "$2" ]]; then echo none; fi
python show.py "${2:-five}"
