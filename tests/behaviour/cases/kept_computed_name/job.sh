#!/bin/bash
#SBATCH --job-name=kept_computed_name
A=old
name=A
python3 -c "import sys; print(sys.argv[1:])" "$A"
read -r "$name" <<< new
python3 -c "import sys; print(sys.argv[1:])" "$A"
B=old
put() { printf -v "$1" '%s' "$2"; }
put B given
python3 -c "import sys; print(sys.argv[1:])" "$B"
