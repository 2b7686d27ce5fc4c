#!/bin/bash
#SBATCH --job-name=background_none
python show.py a
wait
python end.py 2
wait
