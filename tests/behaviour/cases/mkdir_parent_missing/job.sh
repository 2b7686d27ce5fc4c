#!/bin/bash
#SBATCH --job-name=mkdir_parent
mkdir a/b/c
echo "status $?"
