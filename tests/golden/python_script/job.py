#!/usr/bin/env python3
#SBATCH --job-name=inline
#SBATCH --cpus-per-task=2
#SBATCH --mem=3G
#SBATCH --time=20
"""A job script that is Python itself."""

import os

print("cpus", os.environ.get("SLURM_CPUS_PER_TASK"))
