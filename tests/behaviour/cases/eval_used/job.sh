#!/bin/bash
#SBATCH --job-name=eval
CMD="python show.py 'a b' c"
eval "$CMD"
$CMD
