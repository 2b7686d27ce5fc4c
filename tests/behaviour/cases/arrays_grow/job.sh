#!/bin/bash
#SBATCH --job-name=grow
ARGS=(--epochs 3)
FILES=(data/*.csv none/*.csv)
ARGS+=(--name "a b")
if [ -d data ]; then ARGS+=(--data data); fi
for f in "${FILES[@]}"; do
    ARGS+=("$f")
done
python show.py "${ARGS[@]}" ${#ARGS[@]} "${FILES[0]}" "$ARGS" "${ARGS[@]:1:2}"
EMPTY=()
python show.py "${EMPTY[@]}" end "${#EMPTY[@]}"
WORDS=($(echo one two))
for i in 0 1 2; do python show.py "${WORDS[$i]}" "${WORDS[i]}"; done
LINE="first"
LINE+=" second"
for w in x y; do LINE+=" $w"; done
echo "$LINE"
