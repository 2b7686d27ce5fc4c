#!/bin/bash
#SBATCH --job-name=prefixes
stdbuf -oL python show.py a
nohup python show.py b
taskset -c 0 python show.py c
