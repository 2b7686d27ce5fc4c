#!/bin/bash
#SBATCH --time=5
echo "work on $1"
