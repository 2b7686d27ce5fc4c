#!/bin/bash
#SBATCH --job-name=stdin_empty
python copy_in.py
cat
echo done
