#!/bin/bash
#SBATCH --job-name=pattern_variable
PATTERN='a*'
if [[ $1 == $PATTERN ]]; then echo unquoted; fi
if [[ $1 == "$PATTERN" ]]; then echo quoted; fi
