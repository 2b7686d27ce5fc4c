#!/bin/bash
#SBATCH --job-name=test_of_output_errexit
set -e
if [ -z "$(python end.py 3 | grep nothing)" ]; then echo empty; fi
[ "$(false)" = x ] || echo other
[ "$(python end.py 4)" = "end 4" ]
echo here
[ "$(python end.py 0)" = "x" ]
echo never
