#!/bin/bash
#SBATCH --job-name=pattern_quoted
if [[ "$1" == "*.gz" ]]; then echo literally; else echo no; fi
