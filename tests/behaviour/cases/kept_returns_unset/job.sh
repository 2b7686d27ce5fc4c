#!/bin/bash
#SBATCH --job-name=kept_returns_unset
if [[ x =~ ^y(.*)$ ]]; then NEVER=${BASH_REMATCH[1]}; KEEP=changed; fi
KEEP2=old
if [[ x =~ ^y(.*)$ ]]; then KEEP2=new; fi
python3 -c "import sys; print(sys.argv[1:])" $NEVER "[$NEVER]" "${NEVER:-default}" "$KEEP2"
