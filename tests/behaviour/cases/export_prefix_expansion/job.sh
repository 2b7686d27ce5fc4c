#!/bin/bash
#SBATCH --job-name=prefix_expansion
X=old
X=new python show.py "$X"
echo "$X"
