#!/bin/bash
# Split the words, count both halves side by side, then add up.
split=$(sbatch --parsable split.sh)
left=$(sbatch --parsable --dependency=afterok:$split left.sh)
right=$(sbatch --parsable --dependency=afterok:$split right.sh)
sbatch --dependency=afterok:$left:$right add.sh
