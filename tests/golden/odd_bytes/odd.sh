#!/bin/bash
#SBATCH --job-name="café ‮xx"
#SBATCH --mem=1G
echo "tab\there" '"""' "€"
python -c 'print("""q""")'
