#!/bin/bash
#SBATCH --job-name=echo_into_files
log=notes_$SLURM_ARRAY_TASK_COUNT.txt
echo "first line" > log.txt
echo >> log.txt
echo -n "no newline, " >> log.txt
echo "ünïcode  two  blanks" two words  >> log.txt
echo -e "tab\there\\n$HOME_LESS" >> log.txt
echo -e "a\nb" -e >> log.txt
echo plain \\n text >> log.txt
for name in x y; do
  echo "in $name" >> log.txt
  echo "own $name" > "$name.txt"
  echo "again $name" > "$name.txt"
done
if [ -f log.txt ]; then
  echo "there" >> log.txt
fi
cat log.txt
echo "between" >> log.txt
echo "status $?" > status.txt
wc -l < log.txt >> status.txt
echo "-n is text here" > dash.txt
echo *.none >> dash.txt
cat dash.txt status.txt
