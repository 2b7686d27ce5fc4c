#!/bin/bash
#SBATCH --job-name=calls_exports
show() {
  printf 'show %s\n' "$1"
  python3 variables.py MODE "$1"
  sh -c 'exit 0'
}
show A
export MODE=fast
show B
export MODE="very slow"
show C
MODE=plain
show D
