#!/bin/bash
#SBATCH --job-name=venv
if [ ! -d "$SLURM_TMPDIR/env" ]; then
  virtualenv --no-download $SLURM_TMPDIR/env
fi
source $SLURM_TMPDIR/env/bin/activate
pip install --no-index --upgrade pip
pip install --no-index torch==2.1.0 'numpy<2'
python -m pip install --user -q -r requirements.txt -r missing.txt
pip install jax -f https://example.org/jax.html --extra-index-url=https://example.org/simple
pip freeze
export PYTHONPATH=$PWD/pkg:$PYTHONPATH
export PATH=/home/me/tools/bin:/usr/local/bin:${PATH}
export LD_LIBRARY_PATH=$HOME/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
python -c 'import os; print(os.environ["PYTHONPATH"].split(os.sep)[-1])'
deactivate
