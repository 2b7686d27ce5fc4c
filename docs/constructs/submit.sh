#!/bin/bash
first=$(sbatch --parsable prepare.sh)
second=$(sbatch --parsable --dependency=afterok:"$first" fit.sh)
sbatch --dependency=afterany:"$second" clean.sh
