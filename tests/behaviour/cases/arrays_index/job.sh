#!/bin/bash
#SBATCH --job-name=arrays_index
NAMES=(alpha beta "gamma delta")
for i in 0 1 2; do
    python show.py "$i" "${NAMES[$i]}"
done
