#!/bin/bash
#SBATCH --job-name=kept_function_later
PREFIX=run
say() { printf '%s:%s\n' "$PREFIX" "$1"; }
python3 -c "print('before')"
say one
PREFIX=walk
python3 -c "print('between')"
say two
unused() { rm -rf /nowhere; }
python3 -c "print('after')"
