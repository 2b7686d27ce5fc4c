#!/bin/bash
#SBATCH --job-name=counters
i=0
total=-7
for x in a b c; do
    i=$((i + 1))
    ((total += i * 2))
    python show.py "$x" $i $total $((total / 2)) $((total % 4)) "$((i ** 2))"
    let total-=1
done
((i++))
if (( i > 3 )); then echo "more than three: $i"; fi
(( total < 0 )) && echo below
n=$(printf '%04d' $i)
python show.py "$n" $(printf 'run_%02d.txt' $i) $((10#$n + 1)) $((0x10 + 010))
START=$(date +%s)
END=$(date +%s)
[ $((END - START)) -lt 60 ] && echo quick
for k in {1..3}; do python show.py "$k" $((k * i)); done
for k in $(seq 6 -2 2); do echo $k; done
