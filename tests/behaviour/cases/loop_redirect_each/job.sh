#!/bin/bash
#SBATCH --job-name=redirect_each
for name in a b; do
    python both.py $name > $name.out 2> $name.err
    mkdir -p res/$name
    python show.py $name > res/$name/log.txt
done
