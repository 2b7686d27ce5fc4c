#!/bin/bash
#SBATCH --job-name=not_executable
./plain.txt
