#!/bin/bash
#SBATCH --job-name=pushd_branch
mkdir -p a
if [ -d a ]; then
    pushd a > /dev/null
fi
touch in_a.txt
popd > /dev/null
ls | grep -v flyte
