#!/bin/bash
#SBATCH --ntasks=1
ulimit -a > /dev/null
sh -c 'echo first'
umask
sh -c 'echo second'
[ "$(ulimit -n)" -gt 0 ] && echo open
shopt -q nullglob || echo "no nullglob"
sh -c 'exit 2'
