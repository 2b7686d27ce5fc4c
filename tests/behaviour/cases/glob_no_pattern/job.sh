#!/bin/bash
#SBATCH --job-name=no_pattern
python show.py https://example.org/x?y=1 model.layers=[1,2] a[ ]b [ab
