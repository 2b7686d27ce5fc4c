#!/bin/bash
first=$(sbatch --parsable first.sh)
left=$(sbatch --parsable --dependency=afterok:$first --mem=2G side.sh left)
right=$(sbatch --parsable --dependency=afterok:$first side.sh right)
sbatch --dependency=afterany:$left:$right last.sh
