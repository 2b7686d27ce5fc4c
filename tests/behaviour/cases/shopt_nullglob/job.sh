#!/bin/bash
#SBATCH --job-name=nullglob
shopt -s nullglob
touch a.one b.one
sh -c 'echo "$# $*"' sh *.one *.none
for f in *.none *.one; do echo "$f"; done
list=(*.none)
echo ${#list[@]}
X='*.none'
sh -c 'echo "$#"' sh $X
shopt -u nullglob
sh -c 'echo "$# $*"' sh *.none "*.one"
