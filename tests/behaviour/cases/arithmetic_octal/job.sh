#!/bin/bash
#SBATCH --job-name=octal
X=010
echo $((X + 1)) $((0x1f)) $((10#$X + 1))
