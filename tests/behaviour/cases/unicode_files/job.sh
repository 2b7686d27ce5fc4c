#!/bin/bash
#SBATCH --job-name=unicode_files
mkdir -p "Ergebnisse/ü"
echo "späß" > "Ergebnisse/ü/größe.txt"
cat Ergebnisse/ü/*.txt
