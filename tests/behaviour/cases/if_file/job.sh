#!/bin/bash
#SBATCH --job-name=if_file
if [ -f input.txt ]; then
    python show.py found
else
    python show.py missing
fi
if [[ -d nothing ]]; then python show.py dir; elif [ -e input.txt ]; then python show.py exists; fi
