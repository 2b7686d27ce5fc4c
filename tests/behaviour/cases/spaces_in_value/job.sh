#!/bin/bash
#SBATCH --job-name=spaces
NAME="two words"
python show.py "$NAME"
python show.py $NAME
python show.py pre-"$NAME"-post
