#!/bin/bash
#SBATCH --job-name=copied
mkdir -p out
cp data/*.txt out/
mv out/a.txt out/renamed.txt
ln -s renamed.txt out/link
rm -f data/b.txt
touch out/empty
