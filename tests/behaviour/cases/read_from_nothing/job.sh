#!/bin/bash
#SBATCH --job-name=read
read -r answer
echo "status $? [$answer]"
