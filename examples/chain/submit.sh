#!/bin/bash
# Counts words first; the report waits until that has worked.
set -e

count=$(sbatch --parsable count.sh)
sbatch --parsable --dependency=afterok:"$count" report.sh
