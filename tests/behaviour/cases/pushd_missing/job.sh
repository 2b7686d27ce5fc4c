#!/bin/bash
#SBATCH --job-name=pushd_missing
pushd nowhere > /dev/null
echo "stays" > here.txt
popd > /dev/null
echo "popd: $?"
cat here.txt
