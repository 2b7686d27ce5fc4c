#!/bin/bash
#SBATCH --job-name=function_reads_later
mode=a
if python3 -c "import sys; sys.exit(0)"; then mode=b; fi
use() { printf '%s %s\n' "$mode" "$1"; }
use x
for mode in c d; do :; done
use y
if python3 -c "import sys; sys.exit(1)"; then mode=e; use z; else mode=f; fi
outer() { use "$1$1"; }
outer w
k=0
count() { k=$((k + 2)); }
while [ $k -lt 5 ]; do count; done
printf '%s\n' "$k"
if true; then count; fi
printf '%s\n' "$k"
