#!/bin/bash
#SBATCH --job-name=exit_negative
python show.py one
exit -1
