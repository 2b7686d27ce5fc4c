#!/bin/bash
#SBATCH --ntasks=1
nodes=2
let total=$nodes*8
let "half = ${total} / 2"
sh -c 'printf "<%s>" "$@"; echo' sh $total $half
for i in 1 2 3; do
  let count=$((count + i))
  let id=$i
  sh -c 'printf "<%s>" "$@"; echo' sh $count $id
done
let total-=16 || echo zero
sh -c 'printf "<%s>" "$@"; echo' sh $total
