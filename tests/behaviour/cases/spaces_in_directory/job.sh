#!/bin/bash
#SBATCH --job-name=space_dir
mkdir -p "a dir/b dir"
cd "a dir/b dir"
python ../../where.py "a file"
