#!/bin/bash
#SBATCH --job-name=realpath
ROOT=$(realpath sub/..)
echo "$ROOT"
P=$(readlink -f sub)
echo "${P##*/}"
