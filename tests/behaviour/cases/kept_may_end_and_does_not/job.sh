#!/bin/bash
#SBATCH --job-name=ends
case $# in
1)
  echo "one argument"
  exit 3
  ;;&
*) false ;;
esac
sh -c 'echo goes on'
touch "after me.txt"
