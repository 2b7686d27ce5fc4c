#!/bin/bash
#SBATCH --job-name=pattern_alone
FILE=model.tar.gz
if [[ $FILE == *.gz ]]; then echo zipped; fi
if [[ $FILE != model* ]]; then echo never; fi
