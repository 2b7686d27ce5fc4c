#!/bin/bash
#SBATCH --job-name=dollars
python show.py "costs 5$" a$ '$' "\\" 'back\slash'
