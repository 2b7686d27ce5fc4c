#!/bin/bash
#SBATCH --job-name=forms
python train.py --lr=0.5 --name= --epochs=02
python train.py --name "" --tags
