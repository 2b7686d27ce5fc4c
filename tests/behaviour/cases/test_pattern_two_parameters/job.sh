#!/bin/bash
#SBATCH --job-name=two_parameters
if [[ $1 == $2 ]]; then echo same; else echo other; fi
