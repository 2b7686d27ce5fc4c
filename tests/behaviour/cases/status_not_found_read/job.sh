#!/bin/bash
#SBATCH --job-name=not_found_read
no_such_program
echo "status $?"
