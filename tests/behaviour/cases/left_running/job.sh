#!/bin/bash
#SBATCH --job-name=left_running
python end.py 3 > a.txt &
python show.py done
