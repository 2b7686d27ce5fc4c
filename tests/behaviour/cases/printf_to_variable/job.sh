#!/bin/bash
#SBATCH --ntasks=1
printf -v SUBJECT "sub-%03d" 7
python3 show.py "$SUBJECT"
printf -v NAME "%s_%s.txt" "$1" "a b"
python3 show.py "$NAME"
printf -v PLAIN "x%%y"
echo "$PLAIN"
printf "%s-%d\n" a 3
N=$(printf "%s-%02d" z 4)
python3 show.py $N
