#!/bin/bash
#SBATCH --job-name=cd_dash_missing
cd nowhere
cd - > /dev/null
echo "status $?"
ls | grep -v flyte
