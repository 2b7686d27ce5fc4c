#!/bin/bash
#SBATCH --job-name=kept_directory
mkdir -p sub
A=here
cd sub
python ../show.py "$A"
say() { echo "$A" > out.txt; }
say
cat out.txt
python ../show.py end
