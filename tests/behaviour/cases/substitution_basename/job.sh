#!/bin/bash
#SBATCH --job-name=basename
FILE=data/sample_1.fastq.gz
BASE=$(basename $FILE .fastq.gz)
DIR=$(dirname "$FILE")
python show.py "$BASE" "$DIR" "$(basename "$DIR")"
