#!/bin/bash
#SBATCH --job-name=tee_append
python show.py one | tee -a log.txt
python show.py two | tee -a log.txt
