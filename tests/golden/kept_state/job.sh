#!/bin/bash
#SBATCH --job-name=state
#SBATCH --ntasks=1
DATA=data
source conf.sh
python show.py --data "$DATA" --model "$MODEL"
case $DATA in
set) export QUALITY=high ;;&
none) exit 2 ;;&
*) cd data ;;
esac
python ../show.py "$QUALITY"
touch result.txt
set -e
python ../show.py "$MODEL"
