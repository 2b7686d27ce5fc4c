#!/bin/bash
#SBATCH --job-name=glob_hidden
base=run
name=$1
python show.py $base.*.log .*.cfg ${name}.*.log
for f in data/.*.txt .a*; do
    echo "<$f>"
done
if ls ${base}.*.log > /dev/null 2>&1; then
    echo found
fi
echo .*.none | sed s/.*none/x/g
python show.py data/.*
