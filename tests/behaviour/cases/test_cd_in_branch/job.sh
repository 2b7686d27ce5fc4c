#!/bin/bash
#SBATCH --job-name=branch_cd
if [ -d sub ]; then cd sub; fi
pwd
