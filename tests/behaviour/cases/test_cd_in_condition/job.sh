#!/bin/bash
#SBATCH --job-name=cd_condition
if cd sub; then pwd; fi
pwd
