#!/bin/bash
#SBATCH --job-name=quotes
python show.py 'single $HOME' "double \$HOME \"q\"" it\'s a\ b $'tab\there' ""
