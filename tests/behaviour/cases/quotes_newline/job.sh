#!/bin/bash
#SBATCH --job-name=newline
TEXT="line one
line two"
python show.py "$TEXT"
echo "$TEXT" > text.txt
