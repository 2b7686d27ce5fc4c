#!/usr/bin/env bash
#SBATCH --job-name=env_bash
X=(1 2)
python show.py "${X[1]}"
