#!/bin/bash
#SBATCH --job-name=missing_dir_last
python show.py before
python show.py one > nowhere/out.txt
