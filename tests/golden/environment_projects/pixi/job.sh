#!/bin/bash
#SBATCH --job-name=pixi
python job.py
