#!/bin/bash
#SBATCH --job-name=echo_option_of_variable
FLAG='-n'
echo $FLAG "no newline,"
echo "then"
echo "$FLAG"
MODE=-e
echo "$MODE" 'a\tb'
echo word $MODE
echo -x $FLAG
