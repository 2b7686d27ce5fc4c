#!/bin/bash
#SBATCH --job-name=block
{
    echo one
    python show.py two
} > block.txt
cat block.txt
