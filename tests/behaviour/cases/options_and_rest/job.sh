#!/bin/bash
#SBATCH --job-name=options
while getopts "e:" o; do
  case $o in
    e) E=$OPTARG;;
  esac
done
shift $((OPTIND-1))
echo "$E" "$1"
