#!/bin/bash
#SBATCH --job-name=if_host
if [[ "$(uname)" == "Linux" ]]; then
    python show.py linux
fi
