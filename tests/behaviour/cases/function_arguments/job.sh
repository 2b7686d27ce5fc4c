#!/bin/bash
#SBATCH --job-name=function_arguments
show() { python3 -c "import sys; print(sys.argv[1:])" "$@"; }
star() { python3 -c "import sys; print(sys.argv[1:])" "$*" $*; }
some() { python3 -c "import sys; print(sys.argv[1:])" "${1:-none}" "${2:-}" "${3-unset}" "x${1}y" "${#1}" "${1%.txt}"; }
show a "b c" ''
star a "b c" d
star
some
some file.txt
some "" two
