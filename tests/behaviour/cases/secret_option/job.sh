#!/bin/bash
#SBATCH --job-name=secret_option
python -c 'import sys; print(len(sys.argv[2]))' --token  0123456789abcdef0123456789abcdef
