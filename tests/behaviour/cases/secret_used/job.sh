#!/bin/bash
#SBATCH --job-name=secret_used
export API_TOKEN=0123456789abcdef0123456789abcdef01234567
python -c 'import os; print(len(os.environ["API_TOKEN"]))'
