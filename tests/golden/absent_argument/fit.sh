#!/bin/bash
#SBATCH --job-name=fit
# The first argument may be left out, the second may not.
if [ -z "$1" ]; then
    epochs=3
else
    epochs=$1
fi
echo "epochs $epochs, data $2"
