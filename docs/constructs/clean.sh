#!/bin/bash
#SBATCH --job-name=clean
rm -rf scratch
