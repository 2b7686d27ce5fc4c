#!/bin/bash
#SBATCH --job-name=zero_errexit
set -e
n=0
echo before
((n++))
echo never
