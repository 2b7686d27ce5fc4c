#!/bin/bash
#SBATCH --job-name=case_errexit
set -e
MODE=two
case "$MODE" in
  one) python end.py 1 ;;
  two) python show.py two; N=2 ;;
esac
python show.py "n $N"
