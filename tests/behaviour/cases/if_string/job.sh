#!/bin/bash
#SBATCH --job-name=if_string
MODE=${1:-train}
if [ "$MODE" == "train" ]; then
    python train.py --epochs 3
elif [ "$MODE" = "test" ]; then
    python show.py testing
else
    echo "unknown mode $MODE"
    exit 2
fi
