#!/bin/bash
#SBATCH --job-name=here_string
WORD="three words here"
python copy_in.py <<< "$WORD"
