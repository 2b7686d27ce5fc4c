#!/bin/bash
#SBATCH --job-name=trap_function
cleanup() {
    rm -rf work
    echo "cleaned"
}
trap cleanup EXIT
mkdir -p work
echo data > work/a.txt
cat work/a.txt
