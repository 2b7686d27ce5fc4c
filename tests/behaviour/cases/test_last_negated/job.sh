#!/bin/bash
#SBATCH --job-name=last_negated
! [ -f job.sh ]
