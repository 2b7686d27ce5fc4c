#!/bin/bash
#SBATCH --job-name=indirect
COLOR=red
NAME=COLOR
echo "${!NAME}"
