#!/bin/bash
#SBATCH --job-name=trap_signals_only
save() { cp -r out results; }
trap save TERM USR1
trap '' HUP
trap - HUP
printf 'one\n'
sleep 0.1 &
wait
printf 'two\n'
sh -c 'exit 2'
