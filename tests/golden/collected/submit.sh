#!/bin/bash
# Each jackknife sample by itself, then their spread.
samples=$(sbatch --parsable sample.sh)
spread=$(sbatch --parsable --dependency=afterok:$samples spread.sh)
sbatch --dependency=afterok:$spread note.sh
