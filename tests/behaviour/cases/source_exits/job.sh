#!/bin/bash
#SBATCH --job-name=source_exits
source stop.sh
echo never
