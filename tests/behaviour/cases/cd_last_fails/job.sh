#!/bin/bash
#SBATCH --job-name=cd_last
python show.py x
cd nowhere
