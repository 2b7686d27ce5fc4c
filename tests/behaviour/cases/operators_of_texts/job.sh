#!/bin/bash
#SBATCH --job-name=operators
FILE=data/run.tar.gz
python show.py ${FILE##*/} ${FILE%.*} ${FILE%%.*} ${FILE#*/} ${FILE%/*} ${#FILE} ${FILE/run/walk} ${FILE//a/A} ${FILE:5:3} ${FILE:5} ${FILE^^}
for f in data/a.x.txt "plain" "data/b c.txt"; do
    name="${f##*/}"
    python show.py "${f##*/}" "${f%.*}" "${f%%.*}" "${f#*.}" "${f%/*}" "${#f}" "${f/a/AA}" "${f//a/}" "${f:0:4}" "${f:2}" "${f^^}" "${name%.txt}" "${f#data/}"
done
