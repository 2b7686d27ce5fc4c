#!/bin/bash
#SBATCH --job-name=braces_around
X=a
python show.py "${X}b" "$X-b" "${X}_b" "$X"_b "pre${X}"
