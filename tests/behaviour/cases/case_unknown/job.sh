#!/bin/bash
#SBATCH --job-name=case
case "$1" in
    small) EPOCHS=1 ;;
    *) echo "unknown size"; exit 2 ;;
esac
python train.py --epochs $EPOCHS
