#!/bin/bash
#SBATCH --job-name=for_arguments_quoted
for each in "$@"; do
  python show.py "$each"
done
