#!/bin/bash
#SBATCH --job-name=kept_exit_between
check() { [ "$1" = ok ] || exit 3; }
check ok
python3 -c "print('between')"
check wrong
python3 -c "print('not reached')"
