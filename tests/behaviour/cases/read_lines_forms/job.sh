#!/bin/bash
#SBATCH --job-name=read_lines_forms
printf '  a b  \nback\\slash\n\nlast' > list.txt
while read line; do echo "[$line]"; done < list.txt
while read -r line; do echo "[$line]"; done < list.txt
while IFS= read -r line || [ -n "$line" ]; do echo "[$line]"; done < list.txt
while read -r name; do
  if [ -z "$name" ]; then continue; fi
  python show.py "$name"
done < list.txt
