#!/bin/bash
#SBATCH --ntasks=1
python3 show.py "[$SLRUM_ARRAY_TASK_ID]" $SLRUM_JOB_NAME end
