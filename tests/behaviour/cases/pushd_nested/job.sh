#!/bin/bash
#SBATCH --job-name=pushd_nested
mkdir -p a/b
pushd a > /dev/null
pushd b > /dev/null
echo deep > file.txt
popd > /dev/null
ls b
popd > /dev/null
ls | grep -v flyte
for d in a a/b; do
    pushd "$d" > /dev/null
    ls -d *
    popd > /dev/null
done
echo "still $(ls -d a)"
