#!/bin/bash
#SBATCH --job-name=function
run_one() {
    local name=$1
    echo "running $name"
    python show.py "$name" "${2:-none}"
}
run_one first
run_one "second one" x
