#!/bin/bash
#SBATCH --job-name=arrays_gaps
gap[3]=x
gap[1]=y
python show.py "${gap[@]}" ${!gap[@]} ${#gap[@]}
part=(a b)
part[0]=changed
python show.py "${part[@]}"
for i in 0 1 2; do
    squares[$i]=$((i * i))
done
python show.py "${squares[@]}"
text=x
text[1]=y
python show.py "$text" "${text[@]}"
