#!/bin/bash
#SBATCH --ntasks=1
if [ -f job.sh ] || true; then
  set -x
  python3 show.py traced
  set +x
fi
for i in 1 2; do
  set -x
  python3 show.py $i
  { set +x; } 2>/dev/null
done
