#!/bin/bash
#SBATCH --ntasks=1
echo "the value is [$NOTHING_SETS_IT]"
echo a $NOTHING_SETS_IT b
python3 show.py end
