#!/bin/bash
#SBATCH --ntasks=1
SECONDS=100
sh -c 'echo first'
case $HOSTNAME in
*) echo "$((SECONDS / 50))" ;;&
x) true ;;
esac
sh -c 'echo last'
