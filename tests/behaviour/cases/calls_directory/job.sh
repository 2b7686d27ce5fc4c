#!/bin/bash
#SBATCH --job-name=calls_directory
where() {
  printf 'where %s\n' "$1"
  python3 "$SLURM_SUBMIT_DIR/where.py"
  printf '%s\n' "$1" > "$1.txt"
}
mkdir -p sub
where a
cd sub
where b
