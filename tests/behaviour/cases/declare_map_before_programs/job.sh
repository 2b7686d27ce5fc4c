#!/bin/bash
#SBATCH --job-name=map
declare -A COLOUR
COLOUR[sky]=blue
COLOUR["the sea"]=green
sh -c 'echo a program'
for key in sky "the sea"; do
  sh -c 'echo "$@"' sh "${COLOUR[$key]}"
done
sh -c 'echo another'
