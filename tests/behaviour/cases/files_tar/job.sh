#!/bin/bash
#SBATCH --job-name=tar
tar cf all.tar data && rm -r data
mkdir back
tar xf all.tar -C back
cat back/data/a.txt
rm all.tar
