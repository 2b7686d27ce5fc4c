#!/bin/bash
#SBATCH --ntasks=1
DATA='my data'
CMD="printf '<%s>' run"
if [ -f job.sh ]; then CMD="$CMD --here"; fi
if [ -f missing.txt ]; then EXTRA="--missing"; fi
sh -c 'echo first'
CMD="$CMD \"\$DATA\" $EXTRA"
echo "$CMD"
eval "$CMD"
echo
sh -c 'echo last "${CMD-unset}"'
