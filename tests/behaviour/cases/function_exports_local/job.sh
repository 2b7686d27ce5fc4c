#!/bin/bash
#SBATCH --job-name=function_exports_local
set_threads() { local THREADS=$1; export THREADS; python3 -c "import os; print(os.environ.get('THREADS'))"; }
set_threads 4
set_threads 8
python3 -c "import os; print(os.environ.get('THREADS'))"
