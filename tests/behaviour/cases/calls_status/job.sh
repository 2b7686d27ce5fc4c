#!/bin/bash
#SBATCH --job-name=calls_status
check() {
  local file=$1
  printf 'checking %s\n' "$file"
  if [ ! -f "$file" ]; then
    printf 'missing\n'
    return 3
  fi
  sh -c 'exit 2'
}
printf 'x\n' > there.txt
check there.txt
printf 'status %s\n' "$?"
check "not there.txt"
rc=$?
printf 'status %s\n' "$rc"
if check there.txt; then printf 'good\n'; else printf 'bad %s\n' "$?"; fi
if ! check nothing; then printf 'none\n'; fi
check nothing || printf 'or\n'
check nothing && printf 'and\n'
check there.txt
