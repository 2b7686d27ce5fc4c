#!/bin/bash
#SBATCH --job-name=redirect_in
python copy_in.py < lines.txt
python copy_in.py < lines.txt > copied.txt
