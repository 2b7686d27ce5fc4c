#!/bin/bash
#SBATCH --job-name=required
IN=${1:?need an input}
python show.py "$IN"
