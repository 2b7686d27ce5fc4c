#!/bin/bash
#SBATCH --job-name=case_forms
for word in fast "a b" data.csv x.tar.gz "" "*" q5 -v; do
  case $word in
    fast | slow) echo "speed $word" ;;
    *.csv) echo table ;;
    *.tar.*) echo archive ;;
    "") echo empty ;;
    "*") echo star ;;
    q[0-9]) echo queue ;;
    -*) echo option ;;
    *) echo "other $word" ;;
  esac
done
NOTHING=
case $NOTHING in a) echo a ;; esac
echo "status $?"
