#!/bin/bash
#SBATCH --job-name=module
python -m pkg.run --name x
python -u show.py unbuffered
python -c "import sys; print(sys.argv)" a b
