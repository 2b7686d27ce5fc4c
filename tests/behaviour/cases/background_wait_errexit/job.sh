#!/bin/bash
#SBATCH --job-name=background_wait_errexit
set -e
python end.py 3 > a.txt &
pid=$!
python show.py beside
wait $pid
python show.py never
