#!/bin/bash
#SBATCH --job-name=case_none
python end.py 3
case "$1" in
    a) echo a ;;
esac
