#!/bin/bash
#SBATCH --job-name=and_cd
cd sub && python ../show.py in_sub
python show.py where
