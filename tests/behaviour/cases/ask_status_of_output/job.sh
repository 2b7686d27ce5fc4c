#!/bin/bash
#SBATCH --job-name=ask_status_of_output
X=$(python end.py 3)
echo "$? $X"
Y=$(python end.py 0) && echo "good $Y" || echo "bad $Y"
Z=$(python end.py 2) && echo "good $Z" || echo "bad $Z"
if W=$(python show.py "a  b" | tr a x); then echo "W=$W"; fi
if ! W=$(python end.py 9); then echo "failed with $W"; fi
V=$(python end.py 0 | python end.py 6)
rc=$?
echo "V=$V rc=$rc"
if [ -n "$W" ]; then
  U=$(python end.py 4)
fi
echo "U=$U after $?"
for i in 1 2; do
  T=$(python end.py $i)
done
echo "T=$T and $?"
S=$(python end.py 7) || exit 9
echo never
