#!/bin/bash
#SBATCH --job-name=wait_condition
python end.py 3 > a.txt &
a=$!
python end.py 0 > b.txt &
b=$!
wait $a || echo "a failed"
if wait $b; then echo "b worked"; fi
( python end.py 2 )
echo "status $?"
{ python show.py x; python end.py 4; }
echo "status $?"
set +x
