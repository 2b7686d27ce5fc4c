#!/bin/bash
#SBATCH --job-name=awk
awk -F, '{print $2}' table.csv > second.txt
sed -i 's/b/B/' second.txt
awk 'NR > 1 {sum += $1} END {print "sum", sum}' table.csv
