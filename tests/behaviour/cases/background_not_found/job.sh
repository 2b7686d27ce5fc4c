#!/bin/bash
#SBATCH --job-name=background_not_found
./not_there a &
pid=$!
wait $pid
echo "status $?"
./not_there b > b.txt &
wait
echo "all $?"
