#!/bin/bash
#SBATCH --job-name=mkdir_errexit
set -e
mkdir logs
echo never
