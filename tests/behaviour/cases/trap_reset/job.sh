#!/bin/bash
#SBATCH --job-name=trap_reset
trap 'echo first' EXIT
trap - EXIT
python show.py end
