#!/bin/bash
#SBATCH --job-name=function_changes_argument
X=$(printf 'first\n' | cat)
set_x() { X=changed; printf '%s %s\n' "$1" "$X"; }
set_x "$X"
Y=$(printf 'second\n' | cat)
use_y() { printf '%s\n' "$1"; Y=other; printf '%s %s\n' "$1" "$Y"; }
use_y "$Y"
python3 -c "import sys; print(sys.argv[1:])" "$X" "$Y"
