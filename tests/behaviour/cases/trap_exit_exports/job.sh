#!/bin/bash
#SBATCH --job-name=trap_exit_exports
trap 'python3 variables.py MODE' EXIT
export MODE=one
python3 variables.py MODE
export MODE=two
sh -c 'exit 3'
