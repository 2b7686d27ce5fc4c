#!/bin/bash
#SBATCH --job-name=args_more
python show.py --fixed "$@" --end
