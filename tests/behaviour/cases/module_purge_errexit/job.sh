#!/bin/bash
#SBATCH --job-name=module_errexit
set -e
module purge 2>/dev/null || true
python show.py after
