#!/bin/bash
#SBATCH --job-name=errexit_if
set -e
if python end.py 3; then echo never; fi
if ! python end.py 3; then echo failed; fi
python end.py 3 || echo "handled"
python show.py end
