#!/bin/bash
#SBATCH --job-name=pushd_prints
mkdir -p a
pushd a
touch made.txt
popd
ls a
