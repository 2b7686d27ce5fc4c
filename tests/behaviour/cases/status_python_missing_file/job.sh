#!/bin/bash
#SBATCH --job-name=missing_file
python nowhere.py
