#!/bin/bash
#SBATCH --job-name=no_arguments
ARGS="$@"
REST=${@:2}
python show.py $ARGS
python show.py --a $REST
