#!/bin/bash
#SBATCH --job-name=sub
cd sub
python ../show.py x > here.txt
python ../show.py y > ../above.txt
cat here.txt ../above.txt
