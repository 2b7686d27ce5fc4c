#!/bin/bash
#SBATCH --job-name=reference
#SBATCH --gres=gpu:a100:1
module load apptainer
export SEED=7
apptainer pull --force image.sif docker://nvcr.io/nvidia/pytorch:24.05-py3
srun apptainer exec --nv --bind /data,$PWD:/work --pwd /work --env MODE=fast image.sif \
    python infer.py --batch-size 32
