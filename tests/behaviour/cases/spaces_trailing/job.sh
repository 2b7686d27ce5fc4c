#!/bin/bash
#SBATCH --job-name=trailing
X="  padded  "
echo "$X" end
echo $X end
echo   many    blanks   "kept   here"
