#!/bin/bash
#SBATCH --job-name=tilde
python show.py ~ ~/x "~/x" a~ ~nobody_here
X=~/y
python show.py "$X"
