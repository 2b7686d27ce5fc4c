#!/bin/bash
#SBATCH --job-name=number_octal
if [ 010 -eq 10 ]; then echo ten; fi
if [[ 010 -eq 8 ]]; then echo eight; fi
