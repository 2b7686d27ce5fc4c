#!/bin/bash
#SBATCH --job-name=empty_unquoted
X=""
if [ -n $X ]; then echo "true, says bash"; fi
if [ $X = "" ]; then echo never; else echo "an error is false"; fi
