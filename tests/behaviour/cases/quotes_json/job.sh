#!/bin/bash
#SBATCH --job-name=json
python show.py '{"lr": 0.1, "name": "a b"}' --set="x='y'"
