#!/bin/bash
#SBATCH --job-name=mpi
#SBATCH --ntasks=64
module load openmpi/4.1
mpirun ./solver input.nml
