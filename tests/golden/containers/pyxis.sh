#!/bin/bash
#SBATCH --job-name=pyxis
srun -n 1 --container-image=nvcr.io#nvidia/pytorch:24.05-py3 --container-mounts=$PWD:/w --container-workdir=/w python infer.py
