#!/bin/bash
#SBATCH --job-name=late
false
sh -c 'echo first; exit 2'
set -e
sh -c 'echo second'
x=$(sh -c 'echo third')
echo "$x"
sh -c 'exit 5'
echo never
