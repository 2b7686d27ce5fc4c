#!/bin/bash
#SBATCH --job-name=wait_last
python end.py 3 > a.txt &
python end.py 0 > b.txt &
wait
