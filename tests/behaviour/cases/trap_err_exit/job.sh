#!/bin/bash
#SBATCH --job-name=trap_err_exit
set -e
trap 'echo "failed"; exit 20' ERR
python end.py 3
echo never
