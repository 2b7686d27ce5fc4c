#!/bin/bash
#SBATCH --job-name=and_chain
python end.py 0 && python show.py second && python end.py 3 && python show.py never
