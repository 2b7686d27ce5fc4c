#!/bin/bash
#SBATCH --ntasks=1
# The text of the step is put together before it; its variable is the step's own.
echo left >side.txt
START="echo \
  side $(cat side.txt) \
  rank \$SLURM_PROCID of \$SLURM_NTASKS \
  "
MORE="and more"
srun bash -c "$START $MORE"
