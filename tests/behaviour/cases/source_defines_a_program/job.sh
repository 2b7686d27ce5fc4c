#!/bin/bash
#SBATCH --job-name=source
source conf.sh
align "$NAME"
