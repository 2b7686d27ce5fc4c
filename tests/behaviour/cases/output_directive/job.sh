#!/bin/bash
#SBATCH --job-name=output
#SBATCH --output=job_output.log
python show.py x
