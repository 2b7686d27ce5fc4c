#!/bin/bash
#SBATCH --job-name=to_err
echo "warning" >&2
python show.py only_this
