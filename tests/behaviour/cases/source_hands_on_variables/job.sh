#!/bin/bash
#SBATCH --job-name=source
NAME=before
OTHER=stays
source conf.sh
sh -c 'echo "$@" "${GIVEN-unset}" "${HELD-unset}"' sh "$NAME" "$OTHER" "$WITH" $PLAIN
sh -c 'basename "$PWD"'
touch "$NAME.txt"
