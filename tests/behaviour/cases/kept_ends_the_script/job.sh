#!/bin/bash
#SBATCH --job-name=ends
echo begin
case $# in
0)
  echo "no arguments"
  exit 3
  ;;&
*) true ;;
esac
sh -c 'echo never'
