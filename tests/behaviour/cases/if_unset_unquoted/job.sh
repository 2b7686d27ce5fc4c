#!/bin/bash
#SBATCH --job-name=if_unset
if [ $NOTHING == "x" ]; then
    echo yes
else
    echo no
fi
