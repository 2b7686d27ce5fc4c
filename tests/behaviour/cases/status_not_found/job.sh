#!/bin/bash
#SBATCH --job-name=not_found
python show.py before
no_such_program --flag
