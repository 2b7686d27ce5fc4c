#!/bin/bash
#SBATCH --job-name=if_pattern
FILE=model.tar.gz
if [[ $FILE == *.gz ]]; then echo zipped; fi
if [[ $FILE =~ ^([a-z]+)\. ]]; then echo "stem ${BASH_REMATCH[1]}"; fi
