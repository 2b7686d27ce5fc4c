#!/bin/bash
#SBATCH --ntasks=1
# A variable that nothing sets, a number, a case, break and a list.
limit=2
count=0
for item in p q r s; do
  count=$((count + 1))
  case $item in
  q)
    cat <(echo "second: $item $count ${never:-nothing}")
    sh -c 'echo q'
    ;;
  *) sh -c "echo other $item" && cat <(echo "listed $item $limit") ;;
  esac
  if [ "$count" -gt "$limit" ]; then
    cat <(echo "stop at $count")
    break
  fi
done
for n in 1 2 3; do
  for m in a b; do [ $m = b ] && { cat <(echo "skip $m"); continue 2; }; echo "$n$m"; done
  sh -c 'echo never'
done
