#!/bin/bash
#SBATCH --job-name=question
python show.py run?.log run[12].log
