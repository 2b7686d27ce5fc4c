#!/bin/bash
sbatch --mem=8G job.sh y
sbatch arr.sh
for i in 1 2; do sbatch job.sh $i; done
