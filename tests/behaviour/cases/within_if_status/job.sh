#!/bin/bash
#SBATCH --ntasks=1
# The status of a statement that stays Bash in a branch.
if [ -d . ]; then
  cat <(echo one) none 2> /dev/null
  echo "status $?"
  (exit 5) | cat <(echo two)
  echo "status $?"
  x=${HOME:+a^b}
  x=${x^^}
  sh -c 'echo "$1"; exit 3' y "$x"
fi
