#!/bin/bash
#SBATCH --job-name=required_empty
echo before
IN=${1:?need an input}
python show.py never "$IN"
