#!/bin/bash
#SBATCH --job-name=report
#SBATCH --mem=4G
# What was measured, and what it means.
mkdir -p /scratch/lab/report
cat /project/lab/about.txt
python report.py --table /project/lab/table.csv --out=/scratch/lab/report --cache /scratch/lab/cache
echo "report made"
ls /scratch/lab/report > /dev/null
