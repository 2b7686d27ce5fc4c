#!/bin/bash
#SBATCH --job-name=inherited
CHECKPOINT="${CHECKPOINT}"
INPUT="${INPUT:-$SLURM_SUBMIT_DIR/in.txt}"
INPUT="${INPUT##*/}"
OPTS="$OPTS --fast"
MODE=${MODE:-$(basename /x/slow)}
X=1
X="$X 2"
export LEVEL=$LEVEL
python show.py "$CHECKPOINT" "$INPUT" $OPTS "$MODE" "$X"
python variables.py LEVEL
if [ -z "$CHECKPOINT" ]; then
  echo "no checkpoint"
  exit 3
fi
echo "not here"
