#!/bin/bash
#SBATCH --job-name=background_each
for name in a b; do
    (python show.py $name > $name.txt) &
done
wait
cat a.txt b.txt
