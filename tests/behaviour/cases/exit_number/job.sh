#!/bin/bash
#SBATCH --job-name=exit_number
python show.py one
exit 42
