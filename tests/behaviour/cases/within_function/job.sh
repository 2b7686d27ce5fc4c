#!/bin/bash
#SBATCH --ntasks=1
# A function whose body is mixed, called twice, and one that is asked.
scale=3
show() {
  local what=$1
  local big=${what^^}
  sh -c 'echo "$1 of $2"' x "$big" "$2"
  paste <(echo "$scale") <(echo "$2")
  sh -c 'echo done "$1"' x "$what"
}
show one "1 2"
show "two words" ""
check() {
  cmp -s <(echo "$1") <(echo yes)
  sh -c 'echo "checked $1"' x "$1"
  cmp -s <(echo "$1") <(echo yes)
}
if check yes; then sh -c 'echo is'; fi
check no || sh -c 'echo is not'
sh -c 'echo "${what-unset} ${big-unset}"'
