#!/bin/bash
#SBATCH --job-name=numbers
python show.py --lr 3e-4 --p 0.10 --n 007 --big 1_000 --neg -1 --exp 1E5 --hex 0x10
