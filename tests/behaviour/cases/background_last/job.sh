#!/bin/bash
#SBATCH --job-name=background_last
python end.py 3 > a.txt &
sleep 1
