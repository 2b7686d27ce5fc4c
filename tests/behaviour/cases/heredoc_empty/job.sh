#!/bin/bash
#SBATCH --job-name=heredoc_empty
cat > empty.txt <<EOF
EOF
python copy_in.py <<EOF
EOF
echo "status $?"
