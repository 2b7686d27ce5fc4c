#!/bin/bash
#SBATCH --job-name=split_arg
python show.py $1 end
