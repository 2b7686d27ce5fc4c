#!/bin/bash
#SBATCH --job-name=arrays_keys
NAMES=(alpha "beta gamma" delta)
SIZES=(1 2 3)
for i in "${!NAMES[@]}"; do
    python show.py $i "${NAMES[$i]}" "${NAMES[i]}"
done
for i in ${!NAMES[*]}; do
    echo "$i: ${NAMES[$i]}"
done
echo ${!SIZES[@]}
python show.py "${!SIZES[@]}" ${!SIZES[@]}
EMPTY=()
for i in "${!EMPTY[@]}"; do
    echo never
done
