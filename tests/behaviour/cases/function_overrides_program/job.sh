#!/bin/bash
#SBATCH --job-name=overrides
python() { echo "my python: $*"; }
python show.py x
