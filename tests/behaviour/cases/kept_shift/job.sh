#!/bin/bash
#SBATCH --job-name=shift
first=$1
shift
sh -c 'echo "$@"' sh "$first"
