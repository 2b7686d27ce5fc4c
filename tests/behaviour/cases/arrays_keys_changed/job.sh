#!/bin/bash
#SBATCH --job-name=arrays_keys_changed
NAMES=(alpha "beta gamma" delta)
for i in "${!NAMES[@]}"; do
    NAMES[$i]="new $i"
done
echo "${NAMES[@]}"
for i in "${!NAMES[@]}"; do
    NAMES+=(more)
done
echo ${!NAMES[@]} "${!NAMES[*]}"
unset 'NAMES[1]'
python show.py "${!NAMES[@]}"
