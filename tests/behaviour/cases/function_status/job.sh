#!/bin/bash
#SBATCH --job-name=function_status
check() {
    return 7
}
check
echo "status $?"
check
