#!/bin/bash
#SBATCH --job-name=failed_program
no_such_program > out.txt
echo "status $?"
