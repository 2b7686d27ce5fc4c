#!/bin/bash
#SBATCH --job-name=shell_payload
bash inner.sh "a b" 2
sh inner.sh c
./inner.sh d
