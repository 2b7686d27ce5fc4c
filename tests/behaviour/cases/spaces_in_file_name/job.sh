#!/bin/bash
#SBATCH --job-name=space_file
OUT="my results.txt"
python show.py a > "$OUT"
cat "$OUT"
cat "in put.txt"
