#!/bin/bash
#SBATCH --job-name=bashrc
source ~/.bashrc
python show.py after
