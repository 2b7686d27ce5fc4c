#!/bin/bash
#SBATCH --job-name=options
COUNT=2
while getopts "c:p:" o; do
  case "$o" in
    c) COUNT=$OPTARG;;
    p) PREFIX=$OPTARG;;
  esac
done
# srun is not what starts this
i=0
while read -r line; do # one srun a line
  echo "$PREFIX$line"
  i=$((i + 1))
  [ "$i" -ge "$COUNT" ] && break
done < lines.txt
