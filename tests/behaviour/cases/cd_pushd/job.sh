#!/bin/bash
#SBATCH --job-name=pushd
pushd sub > /dev/null
pwd
popd > /dev/null
pwd
