#!/bin/bash
#SBATCH --ntasks=1
NAME=outer
for each in one two; do
  { case $each in o*) NAME=inner; sh -c 'sleep 0.2; echo "$1" > "$1.txt"' sh $each ;;& x) true ;; esac; } &
done
sh -c 'test -f one.txt || echo "not yet"'
wait
sh -c 'cat one.txt'
printf '%s\n' "$NAME"
{ case $NAME in o*) sh -c 'exit 4' ;;& x) true ;; esac; } &
JOB=$!
sh -c 'echo between'
wait $JOB
echo "status $?"
sh -c 'echo last'
