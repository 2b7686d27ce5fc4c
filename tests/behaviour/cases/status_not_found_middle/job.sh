#!/bin/bash
#SBATCH --job-name=not_found_middle
no_such_program --flag
python show.py after
