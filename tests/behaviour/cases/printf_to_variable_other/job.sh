#!/bin/bash
#SBATCH --ntasks=1
printf -v LINE "%5s|%x|%.2f" a 255 1.5
python3 show.py "$LINE"
printf -v MORE "%s," a b c
python3 show.py "$MORE"
