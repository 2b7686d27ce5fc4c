#!/bin/bash
#SBATCH --job-name=given_to_imports
#SBATCH --array=3-4
echo "task $SLURM_ARRAY_TASK_ID"
cat > own.py <<'EOF'
import os

VALUE = os.environ.get("SLURM_ARRAY" + "_TASK_ID")
EOF
python -c 'import own; print(own.VALUE)'
