#!/bin/bash
#SBATCH --job-name=bash_options
bash -e inner.sh
echo "status $?"
bash -c 'echo "$0 $1"' zero one
