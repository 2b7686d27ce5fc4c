#!/bin/bash
#SBATCH --job-name=percent
X=10
echo "100% {$X} {} {{x}} %s"
python show.py "{$X}" "a{b}c" "%d"
