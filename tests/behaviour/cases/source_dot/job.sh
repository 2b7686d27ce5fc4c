#!/bin/bash
#SBATCH --job-name=dot
. ./env/settings.sh one
echo "$VALUE"
