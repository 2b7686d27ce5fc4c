#!/bin/bash
#SBATCH --job-name=default_given
SIZE=${SIZE:-small}
python show.py "$SIZE" "${OTHER:-none}"
