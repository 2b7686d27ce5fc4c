#!/bin/bash
#SBATCH --time=5
echo "look at $1"
