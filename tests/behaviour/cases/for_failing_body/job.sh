#!/bin/bash
#SBATCH --job-name=for_failing
for code in 3 0 5; do
    python end.py $code
done
