#!/bin/bash
#SBATCH --job-name=last_and
[ -f nothing ] && python show.py never
