#!/bin/bash
#SBATCH --job-name=long_options
while [[ $# -gt 0 ]]; do
    case "$1" in
        --epochs) EPOCHS="$2"; shift 2 ;;
        --half) HALF="--half"; shift ;;
        *) echo "unknown $1"; exit 1 ;;
    esac
done
python train.py --epochs ${EPOCHS:-1} $HALF
