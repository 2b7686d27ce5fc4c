#!/bin/bash
#SBATCH --job-name=chain
BASE=results
RUN=$BASE/run_1
LOG="$RUN/log.txt"
mkdir -p $RUN
python show.py "$LOG" > $LOG
BASE=changed
python show.py "$RUN" "$BASE"
