#!/bin/bash
#SBATCH --job-name=sums_errexit
set -e
i=0
((i += 1))
echo $i
for k in 1 2; do
    ((i += k))
done
echo $i
((i -= 4))
echo never
