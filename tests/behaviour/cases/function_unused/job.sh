#!/bin/bash
#SBATCH --job-name=function_unused
usage() { echo "usage: $0 FILE"; exit 1; }
python3 -c "print('main')"
OUT=a
change() { OUT=b; }
python3 -c "import sys; print(sys.argv[1:])" $OUT
eval 'OUT=c'
python3 -c "import sys; print(sys.argv[1:])" $OUT
change
python3 -c "import sys; print(sys.argv[1:])" $OUT
