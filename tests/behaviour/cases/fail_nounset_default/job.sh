#!/bin/bash
#SBATCH --job-name=nounset_default
set -u
NAME=${NOT_SET_ANYWHERE:-standard}
python show.py "$NAME" "${OTHER:-}"
