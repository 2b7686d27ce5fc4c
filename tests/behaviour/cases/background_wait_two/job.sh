#!/bin/bash
#SBATCH --job-name=background_wait_two
python end.py 3 &
first=$!
wait $first
python end.py 4 &
second=$!
wait $first $second
echo "status $?"
wait "$first"
