#!/bin/bash
#SBATCH --mem=1G
#SBATCH --time=5
python say.py first
