#!/bin/bash
#SBATCH --job-name=read_file
python show.py "$(<value.txt)"
