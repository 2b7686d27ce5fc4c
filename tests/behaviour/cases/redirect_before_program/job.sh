#!/bin/bash
#SBATCH --job-name=before
> first.txt python show.py first
> empty.txt
