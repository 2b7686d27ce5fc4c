#!/bin/sh
#SBATCH --job-name=sh_bracket
if [[ -f job.sh ]]; then
    echo yes
else
    echo no
fi
