#!/bin/bash
#SBATCH --ntasks=1
# Newlines, blanks and dots at the ends of what is handed back.
text=$'first\nsecond\n\n'
dots="a.b."
for i in 1 2; do
  copy=${text^}
  twice=${dots^^}
  spaces="${dots^} "
  got=$(echo "$copy" | tail -n 2; echo "$i")
  sh -c 'printf "[%s]" "$@"; echo' x "$copy" "$twice" "$spaces" "$got"
done
printf '<%s>\n' "$copy" "$got"
