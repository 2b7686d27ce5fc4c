#!/bin/bash
#SBATCH --job-name=source
source conf.sh
sh -c 'echo "$@"; exit 3' sh "$NAME"
sh -c 'echo never'
