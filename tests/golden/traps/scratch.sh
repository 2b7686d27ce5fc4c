#!/bin/bash
#SBATCH --job-name=scratch
#SBATCH --time=01:00:00
#SBATCH --signal=B:TERM@120

# Works in a directory of its own.
WORK=$(mktemp -d)

cleanup() {
  echo "removing $WORK"
  # whatever is in it
  rm -rf "$WORK"
}
save() {
  cp -r "$WORK/out" results
}

# in any case
trap cleanup EXIT
# before the time is up
trap save TERM

python simulate.py --out "$WORK/out"
if [ ! -d "$WORK/out" ]; then
  echo "nothing came of it"
  exit 3
fi
cp -r "$WORK/out" results
