#!/bin/bash
#SBATCH --job-name=strict
set -euo pipefail
python show.py a | cat
python end.py 9 | cat
python show.py never
