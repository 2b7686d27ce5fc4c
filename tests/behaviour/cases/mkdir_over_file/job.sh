#!/bin/bash
#SBATCH --job-name=mkdir_over_file
mkdir -p taken
