#!/bin/bash
#SBATCH --job-name=unset_empty
X=set
unset X
python show.py a $X b "$X" c
