#!/bin/bash
#SBATCH --job-name=source
source conf.sh
sh -c 'echo "$#: $@"' sh $FLAGS
sh -c 'echo "$#: $@"' sh $NOTHING "$NOTHING"
sh -c 'echo "$#: $@"' sh ${DEPTH:-7} ${LEVEL:-high}
