#!/bin/bash
#SBATCH --job-name=tee_pipestatus
python end.py 3 | tee log.txt
exit ${PIPESTATUS[0]}
