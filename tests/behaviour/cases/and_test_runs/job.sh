#!/bin/bash
#SBATCH --job-name=and_test
[ -f input.txt ] && python show.py found
[ -d input.txt ] || python show.py no_directory
