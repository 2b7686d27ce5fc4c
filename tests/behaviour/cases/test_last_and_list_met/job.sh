#!/bin/bash
#SBATCH --job-name=last_and_met
[ -f job.sh ] && python end.py 6
