#!/bin/bash
#SBATCH --job-name=limits
ulimit -n 512
umask 077
ulimit -n
touch private.txt
stat -c %a private.txt
