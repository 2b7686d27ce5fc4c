#!/bin/bash
#SBATCH --job-name=long
#SBATCH --time=01:00:00
set -euo pipefail
DATA=data
OUT=results/run1
mkdir -p "$OUT"
export OMP_NUM_THREADS=2
for f in "$DATA"/*.txt; do
    name=$(basename "$f" .txt)
    echo "processing $name"
    python copy_in.py < "$f" | sort > "$OUT/$name.sorted"
    if [[ ! -s "$OUT/$name.sorted" ]]; then
        echo "empty: $name" >&2
        continue
    fi
    wc -l < "$OUT/$name.sorted"
done
python show.py "$(ls "$OUT" | wc -l)"
tar cf results.tar -C results run1
rm results.tar
