#!/bin/bash
#SBATCH --job-name=cd_back
cd sub
pwd
cd -
pwd
