#!/bin/bash
#SBATCH --time=10
echo "training ended"
