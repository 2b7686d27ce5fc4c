#!/bin/bash
#SBATCH --job-name=user_set
USER="some one"
echo "$USER"
sh -c 'echo "[$USER]"'
python3 -c 'import os; print(os.environ["USER"])'
