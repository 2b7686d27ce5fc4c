#!/bin/bash
#SBATCH --job-name=for_words
MODELS="small medium large"
for model in $MODELS; do
    python show.py $model
done
echo "last was $model"
