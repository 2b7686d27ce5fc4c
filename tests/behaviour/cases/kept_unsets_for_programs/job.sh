#!/bin/bash
#SBATCH --job-name=unsets
export KEPT=a GONE=b
for ((;;)); do
  unset GONE
  break
done
sh -c 'echo "<$KEPT> <${GONE-unset}>"'
