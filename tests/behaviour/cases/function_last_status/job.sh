#!/bin/bash
#SBATCH --job-name=function_last_status
quiet() { printf 'x\n'; python3 -c "import sys; sys.exit(4)"; }
quiet
