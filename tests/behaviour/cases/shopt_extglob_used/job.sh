#!/bin/bash
#SBATCH --job-name=extglob
shopt -s extglob
touch a.one b.two c.three
sh -c 'echo "$*"' sh !(a*|c*|job*)
x=007
echo "${x##+(0)}"
sh -c 'echo end'
