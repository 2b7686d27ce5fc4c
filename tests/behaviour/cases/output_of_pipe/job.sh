#!/bin/bash
#SBATCH --job-name=output_of_pipe
printf 'b 2\na 1\nc 3\n' > table.txt
LAST=$(sort table.txt | tail -n 1)
COUNT=$(cat table.txt | wc -l)
NAME=$(echo "sample_01.fastq.gz" | sed 's/\.fastq\.gz$//')
WORDS=$(sort table.txt | head -n 2 | tr '\n' ' ')
printf '<%s>\n' "$LAST" "$COUNT" "$NAME" "$WORDS"
