#!/bin/bash
#SBATCH --job-name=nested
prepare() {
  module load gromacs > loaded.txt
  source ~/venvs/$1/bin/activate
  echo "prepared $1"
}
for step in a b; do
  module load "tool/$step"
  if command -v nothing > /dev/null; then module purge; else echo "step $step"; fi
  conda activate first && echo "activated"
done
prepare x
conda activate second
echo end
