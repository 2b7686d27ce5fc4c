#!/bin/bash
#SBATCH --ntasks=1
set -euo pipefail
label="run set"
for n in b a; do
  upper=${n^^}
  sh -c 'echo "$1 $2"' x "$label" "$upper"
  { echo "$label"; echo "$n"; } | sort | while read -r line; do echo "- $line"; done
  sh -c 'exit 0'
done
false | while read -r line; do echo "$line"; done
echo not here
