#!/bin/bash
#SBATCH --job-name=number_parameter
N=${1:-5}
if [ $N -ge 5 ]; then echo big; else echo small; fi
