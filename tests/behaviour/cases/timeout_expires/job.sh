#!/bin/bash
#SBATCH --job-name=timeout
timeout 1 sleep 20
echo "status $?"
