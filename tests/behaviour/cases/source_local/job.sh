#!/bin/bash
#SBATCH --job-name=source
source config.sh
python show.py "$MODEL" "$(double 4)"
python variables.py SHARED_SETTING
