#!/bin/bash
#SBATCH --job-name=less_than
if [[ "abc" < "abd" ]]; then echo less; fi
if [ "b" \> "a" ]; then echo more; fi
