#!/bin/bash
#SBATCH --job-name=default_missing
: ${SIZE:=small}
python show.py "$SIZE" "${OTHER:-none}"

