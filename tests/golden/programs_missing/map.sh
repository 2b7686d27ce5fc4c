#!/bin/bash
#SBATCH --array=1-40%4
#SBATCH --mem=8G
#SBATCH --time=2:00:00

# The index is read by map.jl.
julia map.jl
samtools --version && conda activate plots && python plot.py --out all.png \