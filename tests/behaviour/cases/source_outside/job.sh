#!/bin/bash
#SBATCH --job-name=source_outside
source /opt/not/there/setup.sh
. ~/not_there_either
python show.py after
