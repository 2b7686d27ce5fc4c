#!/bin/bash
#SBATCH --job-name=source
for file in conf.sh none.sh; do
  if [ -f "$file" ]; then
    source "$file" one two
  fi
done
sh -c 'echo "$@"' sh "$NAME" $#
