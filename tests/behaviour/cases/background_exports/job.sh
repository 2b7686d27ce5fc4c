#!/bin/bash
#SBATCH --job-name=background_exports
export WHERE=one
python variables.py WHERE > one.txt &
export WHERE=two
WHERE=three python variables.py WHERE > two.txt &
wait
cat one.txt two.txt
