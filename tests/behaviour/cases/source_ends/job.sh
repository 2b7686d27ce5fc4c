#!/bin/bash
#SBATCH --job-name=source
source conf.sh
sh -c 'echo never'
