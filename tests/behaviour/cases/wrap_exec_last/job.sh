#!/bin/bash
#SBATCH --job-name=exec_last
python show.py first
exec python end.py 5
