#!/bin/bash
#SBATCH --job-name=directory
mkdir -p sub
./sub
