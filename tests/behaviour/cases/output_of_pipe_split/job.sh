#!/bin/bash
#SBATCH --job-name=output_of_pipe_split
mkdir data && touch "data/a.txt" data/b.txt data/c.txt
FILES=$(ls data | grep -v b)
printf '<%s>\n' $FILES
printf '<%s>\n' $(ls data | sed 's/^/x /')
for f in $(ls data | sort -r); do printf 'item %s\n' "$f"; done
EMPTY=$(ls data | grep nothing)
printf '[%s]\n' $EMPTY
