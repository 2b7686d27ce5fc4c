#!/bin/bash
#SBATCH --job-name=python_quoted
python3 << 'PY'
import os
print("$HOME", os.environ.get("NOT_THERE"))
PY
python - one "two words" << 'PY'
import sys
print(sys.argv[1:])
PY
