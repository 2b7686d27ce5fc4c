#!/bin/bash
#SBATCH --job-name=kept_takes_task
sleep 0.2 &
pid=$!
python3 -c "print('between')"
[[ $pid =~ ^[0-9]+$ ]] && printf 'a number\n'
python3 -c "print('still')"
wait $pid
printf 'status %s\n' "$?"
