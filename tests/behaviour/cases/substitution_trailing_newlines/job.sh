#!/bin/bash
#SBATCH --job-name=trailing_newlines
X=$(printf 'a\n\n\n')
echo "[$X]"
