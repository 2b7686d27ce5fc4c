#!/bin/bash
# The large seed needs more.
small=$(sbatch --parsable train.sh 1)
large=$(sbatch --parsable --dependency=afterok:$small --mem=64G --time=12:00:00 train.sh 2)
sbatch --dependency=afterok:$large --partition=long train.sh 3
