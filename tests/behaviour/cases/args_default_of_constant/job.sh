#!/bin/bash
#SBATCH --job-name=of_constant
LATEST=62
VERSION=${1:-$LATEST}
NAME=${2:-v${LATEST}x}
WHERE=${3:-$HOSTNAME}
python show.py $VERSION "$NAME"
if [ "$WHERE" = "$HOSTNAME" ]; then echo same; fi
