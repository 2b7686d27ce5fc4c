#!/bin/bash
#SBATCH --job-name=env_program
env MODE=x python variables.py MODE
