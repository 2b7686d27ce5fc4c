#!/bin/bash
#SBATCH --job-name=case_of_known
MODE=fast
case $MODE in
  slow) python show.py slow ;;
  fa*) python show.py begins ;;
  fast) python show.py fast ;;
esac
case "$MODE" in
  slow | none) python show.py slow; eval "$UNKNOWN" ;;
  fast | quick) python show.py "$MODE" ;;
  *) exit 3 ;;
esac
case $MODE in
  slow) exit 4 ;;
esac
python show.py "status $?"
case $MODE in
  slow) NEXT=1 ;;
  *) NEXT=2 ;;
esac
python show.py "$NEXT"
case $MODE in
  fast) exit 5 ;;
esac
