#!/bin/bash
#SBATCH --job-name=for_arguments
for name in "$@"; do
    python show.py "$name"
done
