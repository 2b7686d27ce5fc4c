#!/bin/bash
#SBATCH --job-name=user_path
mkdir -p out_${USER}
touch "out_$USER/$(basename $PWD).txt"
