#!/bin/bash
#SBATCH --job-name=unicode
NAME="größe-数据"
python show.py "$NAME" 'emoji 🎉'
echo "naïve $NAME"
