#!/bin/bash
#SBATCH --job-name=output_of_pipe_errors
X=$(ls missing_file 2>&1 | wc -l)
printf '%s\n' "$X"
Y=$(ls missing_file |& grep -c missing)
printf '%s\n' "$Y"
export MARK=seen
Z=$(env | grep ^MARK= | cut -d= -f2)
printf '%s\n' "$Z"
MARK=changed
Z=$(env | grep ^MARK= | cut -d= -f2)
printf '%s\n' "$Z"
