#!/bin/bash
#SBATCH --job-name=if_number
N=10
if [ "$N" -gt 9 ] && [ $N -le 10 ]; then echo ten; fi
if (( N % 2 == 0 )); then echo even; fi
if [[ $N -eq 10 && "$N" != "010" ]]; then echo text; fi
