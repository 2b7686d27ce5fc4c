#!/bin/bash
#SBATCH --ntasks=1
NAME="a\tb"
echo -e "$NAME\n"
echo -e "$1"
echo "$NAME"
