#!/bin/bash
#SBATCH --job-name=run_nothing
"$@"
echo "status $?"
"$@" && echo fine
