#!/bin/bash
#SBATCH --job-name=output_of_pipe_status
X=$(echo one | grep two)
printf 'status %s\n' "$?"
Y=$(false | cat)
printf 'status %s\n' "$?"
if Z=$(echo three | grep three); then printf 'found %s\n' "$Z"; fi
ls missing 2>/dev/null | wc -l
W=$(ls missing | wc -l)
printf '%s\n' "$W"
