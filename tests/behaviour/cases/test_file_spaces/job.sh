#!/bin/bash
#SBATCH --job-name=file_spaces
NAME="a file"
if [ -f "$NAME.txt" ]; then cat "$NAME.txt"; fi
