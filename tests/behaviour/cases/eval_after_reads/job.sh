#!/bin/bash
#SBATCH --job-name=after_reads
python show.py "$DATA"
eval "$(echo DATA=other)"
python show.py "$DATA"
