#!/bin/bash
#SBATCH --job-name=date_name
DIR=run_$(date +%Y)
mkdir -p $DIR
[ -d "$DIR" ] && echo made
rm -r run_2*
