#!/bin/bash
#SBATCH --job-name=cd_subshell
(cd sub && pwd)
pwd
