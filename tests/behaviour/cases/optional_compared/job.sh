#!/bin/bash
#SBATCH --ntasks=1
if [ "$MODE" = fast ]; then
  python3 show.py fast
elif [[ $MODE != slow ]]; then
  python3 show.py neither
fi
