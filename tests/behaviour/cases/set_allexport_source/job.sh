#!/bin/bash
#SBATCH --job-name=set_allexport_source
set -a
source vars.env
set +a
later=no
echo "$NAME / $EMPTY / $later"
sh -c 'echo "[$NAME] [$EMPTY] [$later]"'
