#!/bin/bash
#SBATCH --job-name=trap_signal
trap 'echo got it; exit 3' USR1
kill -USR1 $$
echo never
