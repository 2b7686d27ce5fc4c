#!/bin/bash
#SBATCH --job-name=status_after_if
if python end.py 3; then echo never; fi
echo "status $?"
if python end.py 3; then echo never; else python end.py 4; fi
echo "status $?"
