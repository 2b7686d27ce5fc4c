#!/bin/bash
#SBATCH --job-name=calls_names
run() { printf 'run %s\n' "$1"; python3 show.py "$1"; printf 'ran\n'; }
print() { printf 'print %s\n' "$1"; python3 show.py "$1"; printf 'printed\n'; }
status() { printf 'status %s\n' "$1"; python3 show.py "$1"; sh -c 'exit 3'; }
run-it() { printf 'run-it %s\n' "$1"; python3 show.py "$1"; printf 'it\n'; }
run a; run b
print a; print b
run-it a; run-it b
status a; printf '%s\n' "$?"; status b
