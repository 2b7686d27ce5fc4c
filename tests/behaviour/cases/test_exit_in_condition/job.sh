#!/bin/bash
#SBATCH --job-name=exit_condition
if [ -f job.sh ] && [ ! -f other.sh ]; then
    exit 0
fi
echo never
