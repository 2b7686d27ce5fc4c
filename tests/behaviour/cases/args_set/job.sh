#!/bin/bash
#SBATCH --job-name=args_set
set -- one "two three"
python show.py "$2" "$#"
