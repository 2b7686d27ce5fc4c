#!/usr/bin/env python3
#SBATCH --job-name=list_unused
print("no arguments are read")
