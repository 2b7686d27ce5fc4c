#!/bin/bash
#SBATCH --job-name=source
set -e
source conf.sh
sh -c 'echo "$@"' sh "$NAME"
source fails.sh
sh -c 'echo never'
