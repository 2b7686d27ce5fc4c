#!/bin/bash
#SBATCH --job-name=or_exit_plain
python end.py 0 || exit
python end.py 4 || exit $?
python show.py never
