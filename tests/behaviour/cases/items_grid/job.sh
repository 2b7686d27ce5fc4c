#!/bin/bash
#SBATCH --job-name=items_grid
#SBATCH --array=0-7
LRS=(0.1 0.01)
MODELS=("res net" vit)
SEEDS=(1 2 3)
I=$((SLURM_ARRAY_TASK_ID / 4))
J=$(((SLURM_ARRAY_TASK_ID / 2) % 2))
LR=${LRS[$I]}
MODEL=${MODELS[$J]}
SEED=${SEEDS[$((SLURM_ARRAY_TASK_ID % 2))]}
python show.py --lr $LR --model "$MODEL" --seed "$SEED" --id $(printf "%03d" $SLURM_ARRAY_TASK_ID) --cell $I
