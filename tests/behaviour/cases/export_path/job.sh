#!/bin/bash
#SBATCH --job-name=export_path
export PATH=$PWD/tools:$PATH
export PYTHONPATH="$PWD/lib:$PYTHONPATH"
mytool
python -c 'import inner; print(inner.VALUE)'
