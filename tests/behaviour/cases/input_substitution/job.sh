#!/bin/bash
#SBATCH --job-name=input_substitution
printf 'a\nb\nc\n' > list.txt
N=$(wc -l < list.txt)
echo "n $N"
M=$(cat < nothing.txt)
echo "m [$M]"
if grep -q b < list.txt; then echo found; fi
python copy_in.py < nothing.txt || echo "failed"
