#!/bin/bash
#SBATCH --ntasks=1
# What programs see: exported variables, not those that the Bash of a loop is given.
export SEEN=yes
hidden=no
show='echo "${SEEN-unset} ${hidden-unset} ${part-unset}"'
for part in x y; do
  sh -c "$show"
  cat <(sh -c "$show") <(echo "$hidden $part")
  export SEEN=$part
  cat <(sh -c "$show")
done
sh -c "$show"
