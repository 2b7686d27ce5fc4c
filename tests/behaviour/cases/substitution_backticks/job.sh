#!/bin/bash
#SBATCH --job-name=backticks
HERE=`pwd`
python show.py `basename $HERE` "`echo a b`"
