#!/bin/bash
#SBATCH --job-name=files
singularity exec --nv --overlay /scratch/me/o.ext3:ro /scratch/me/tools.sif python infer.py
singularity exec docker://ubuntu:22.04 ls
