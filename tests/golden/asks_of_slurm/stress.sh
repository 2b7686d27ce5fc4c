#!/bin/bash
#SBATCH --job-name=stress
#SBATCH --licenses=ansys:4
#SBATCH --cpus-per-task=8
#SBATCH --mem=16G
#SBATCH --time=06:00:00

module load ansys/2024R1

ansys -b -np 8 -i beam.dat -o beam.out
