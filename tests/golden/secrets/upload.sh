#!/bin/bash
#SBATCH --job-name=upload
#SBATCH --mem=1G
export HF_TOKEN=hf_abcdefghijklmnopqrstuvwxyz012345
python upload.py --to results
