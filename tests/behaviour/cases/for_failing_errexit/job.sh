#!/bin/bash
#SBATCH --job-name=for_errexit
set -e
for code in 0 5 0; do
    python end.py $code
done
echo never
