#!/bin/bash
#SBATCH --job-name=wait_pid
python end.py 3 > a.txt &
pid=$!
python end.py 0 > b.txt
wait $pid
echo "status $?"
wait $pid
