#!/bin/bash
#SBATCH --job-name=or_other
python end.py 2 || python show.py fallback
python end.py 0 || python show.py never
