#!/bin/bash
#SBATCH --ntasks=1
sh -c 'echo first'
sleep 1
case $HOSTNAME in
*) sh -c 'echo "${SECONDS-not seen}"'; (( SECONDS >= 1 && SECONDS < 60 )) && echo counted || echo "not counted" ;;&
x) true ;;
esac
sh -c 'echo second'
case $HOSTNAME in
*) echo "$((SECONDS < 60))"; SECS=$SECONDS ;;&
x) true ;;
esac
sh -c 'test "$1" -ge 1 && echo at least one' sh "$SECS"
