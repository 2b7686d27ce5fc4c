#!/bin/bash
#SBATCH --job-name=getopts
while getopts "n:v" opt; do
  case $opt in
  n) name=$OPTARG ;;
  v) loud=yes ;;&
  *) true ;;
  esac
done
sh -c 'echo "$@"' sh "$name" "${loud:-no}"
