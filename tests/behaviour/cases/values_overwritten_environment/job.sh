#!/bin/bash
#SBATCH --job-name=overwritten
LANG=C
HOME=/nowhere
python variables.py LANG HOME
