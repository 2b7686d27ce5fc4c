#!/bin/bash
#SBATCH --job-name=export_prefix
MODE=once python variables.py MODE
python variables.py MODE
A=1 B="two words" python variables.py A B
