#!/bin/bash
#SBATCH --ntasks=1
# The last command of the script is one of a branch, and stays Bash.
for n in 1 2; do
  sh -c "echo $n"
  diff <(echo $n) <(echo 2) > /dev/null
  sh -c "echo behind $n"
  diff <(echo $n) <(echo 1) > /dev/null
done
