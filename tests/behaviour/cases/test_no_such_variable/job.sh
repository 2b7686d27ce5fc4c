#!/bin/bash
#SBATCH --job-name=no_variable
if [ "$UNDEFINED_HERE" == "" ]; then echo empty; fi
if [ -z "${UNDEFINED_HERE+x}" ]; then echo unset; fi
