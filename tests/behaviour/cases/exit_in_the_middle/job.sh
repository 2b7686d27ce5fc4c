#!/bin/bash
#SBATCH --job-name=exit_middle
python show.py one
exit 6
python show.py never
