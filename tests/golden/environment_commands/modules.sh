#!/bin/bash
#SBATCH --job-name=modules
#SBATCH --time=30
source /etc/profile.d/modules.sh
module purge && module load gcc/12.2 cuda/12.1 2>/dev/null
ml -x +python/3.11
ml SAMtools/1.17 bio/BWA
module swap openmpi mpich; module list 2>&1 | head
module use ~/modules
[ -f ~/.bashrc ] && . ~/.bashrc
if [ "$HOSTNAME" = big ]; then
  module load hdf5
fi
samtools --version
