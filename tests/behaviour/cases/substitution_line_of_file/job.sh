#!/bin/bash
#SBATCH --job-name=line
LINE=$(sed -n "2p" list.txt)
python show.py "$LINE" $(head -n 1 list.txt) "$(tail -n 1 list.txt | cut -d, -f2)"
