#!/bin/bash
#SBATCH --job-name=function_condition
set -e
work() {
    python end.py 3
    echo "goes on in a condition"
}
if work; then echo worked; fi
work
echo never
