#!/bin/bash
#SBATCH --job-name=calls_within
inner() {
  local what=$1
  printf 'inner %s\n' "$what"
  sh -c 'exit 2'
}
outer() {
  local name=$1
  printf 'outer %s\n' "$name"
  inner "$name-1" || printf 'inner failed\n'
  inner "$name-2"
}
outer a
outer b
printf 'status %s\n' "$?"
