#!/bin/bash
#SBATCH --job-name=background
python show.py a > a.txt &
python show.py b > b.txt &
wait
cat a.txt b.txt
