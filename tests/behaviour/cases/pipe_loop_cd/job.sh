#!/bin/bash
#SBATCH --job-name=pipe_loop_cd
printf 'sub\nother\n' | while read -r name; do
    cd $name
    python ../show.py "$name" $(basename $(pwd))
    count=$name
    cd ..
done
python where.py
cat list.txt | cut -d' ' -f1 | while read -r name; do
    mkdir -p made/$name
    cd made/$name
    echo "$name" > here.txt
done
ls -R made
python where.py
