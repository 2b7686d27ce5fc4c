#!/bin/bash
#SBATCH --job-name=background_loop
for i in 1 2 3; do
    python show.py $i > $i.txt &
done
wait
cat 1.txt 2.txt 3.txt
