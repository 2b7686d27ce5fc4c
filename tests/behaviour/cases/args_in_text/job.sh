#!/bin/bash
#SBATCH --job-name=in_text
echo "$@"
ALL="$@"
python show.py "all: $@ end" "$ALL"
python show.py $@
