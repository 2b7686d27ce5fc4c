#!/bin/bash
#SBATCH --job-name=arrays_command
FILES=($(ls data))
python show.py "${FILES[@]}" "${#FILES[@]}"
mapfile -t LINES_READ < lines.txt
python show.py "${LINES_READ[1]}"
