#!/bin/bash
#SBATCH --job-name=arrays_next
part[0]=$(echo "a,b c,d" | cut -d, -f1)
part[1]=$(echo "a,b c,d" | cut -d, -f2)
part[2]="*.txt"
python show.py "${part[0]}" "${part[1]}" ${#part[@]} "${part[@]}"
CUDA_VISIBLE_DEVICES="${part[0]}" python show.py ${part[1]} ${part[2]} $part
runs=()
runs[${#runs[@]}]="--one 1"
runs[${#runs[@]}]="--two 2"
for n in x y; do
    runs[${#runs[@]}]="$n"
done
python show.py "${runs[@]}" ${runs[0]} ${#runs[@]}
python show.py "${runs[@]:1}" ${runs[@]:1:1}
