#!/bin/bash
#SBATCH --job-name=trap_exit
trap 'echo cleaned up' EXIT
python show.py work
python end.py 3
