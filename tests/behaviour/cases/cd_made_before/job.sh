#!/bin/bash
#SBATCH --job-name=cd_made
mkdir -p work/deep
cd work/deep
pwd
echo x > made.txt
