#!/bin/bash
#SBATCH --job-name=limits
ulimit -c 0
ulimit -s 4096
ulimit -n 512
sh -c 'ulimit -c; ulimit -s; ulimit -n'
python show.py done
