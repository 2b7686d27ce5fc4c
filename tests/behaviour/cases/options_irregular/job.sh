#!/bin/bash
#SBATCH --job-name=options
while getopts "ab" o; do
  case $o in
    a) MODE=a;;
    b) MODE=b;;
  esac
done
echo "$MODE" $#
