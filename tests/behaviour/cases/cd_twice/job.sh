#!/bin/bash
#SBATCH --job-name=cd_twice
cd a
cd b
pwd
cd ../..
pwd
