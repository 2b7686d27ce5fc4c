#!/bin/bash
#SBATCH --job-name=group_left
set -e
{ python end.py 3; echo "still here"; } || echo never
echo after
