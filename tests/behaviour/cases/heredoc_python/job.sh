#!/bin/bash
#SBATCH --job-name=heredoc_python
LIMIT=3
python - <<EOT
for i in range($LIMIT):
    print("number", i)
EOT
