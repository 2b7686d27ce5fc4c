#!/bin/bash
#SBATCH --job-name=after_set
python show.py "$@"
set -- x "$@"
python show.py "$1" "$2"
