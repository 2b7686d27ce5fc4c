#!/bin/bash
#SBATCH --job-name=source
. ./conf.sh || exit 9
sh -c 'echo "$@"' sh "$NAME"
source "$NOWHERE/none.sh" 2> /dev/null || exit 8
sh -c 'echo never'
