#!/bin/bash
#SBATCH --ntasks=1
[ -n "$EXTRA_ARGS" ] && echo "more: $EXTRA_ARGS"
python3 show.py --lr 1 $EXTRA_ARGS end
