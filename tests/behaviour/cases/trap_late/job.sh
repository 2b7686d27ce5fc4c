#!/bin/bash
#SBATCH --job-name=trap_late
python show.py before
trap 'echo cleaned' EXIT
python end.py 2
