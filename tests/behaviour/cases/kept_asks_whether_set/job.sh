#!/bin/bash
#SBATCH --ntasks=1
if [ -f missing.txt ]; then MODE=there; fi
sh -c 'echo first'
case $HOSTNAME in
*) echo "${MODE-unset}" "${MODE+set}" "${MODE:-empty}" ;;&
x) true ;;
esac
sh -c 'echo second'
if [ -f job.sh ]; then MODE=; fi
case $HOSTNAME in
*) echo "${MODE-unset}" "${MODE+set}" "${MODE:-empty}"; [[ -v MODE ]] && echo there ;;&
x) true ;;
esac
sh -c 'echo last'
