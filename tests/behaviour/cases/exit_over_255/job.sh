#!/bin/bash
#SBATCH --job-name=exit_over
exit 300
