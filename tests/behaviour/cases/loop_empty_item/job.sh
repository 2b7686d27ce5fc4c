#!/bin/bash
#SBATCH --job-name=empty_item
for x in "" a ''; do
    python show.py "$x" $x
done
