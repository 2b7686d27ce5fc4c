#!/bin/bash
#SBATCH --job-name=arrays_empty
EXTRA=()
python show.py a "${EXTRA[@]}" b
