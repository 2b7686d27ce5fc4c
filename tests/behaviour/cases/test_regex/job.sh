#!/bin/bash
#SBATCH --job-name=test_regex
for name in run12 Run7 run 12run "a run1 b" x.txt xtxt "" $'run1\n' 'r(n)' 'a b'; do
  if [[ $name =~ ^[Rr]un[0-9]+$ ]]; then echo "A <$name>"; fi
  if [[ $name =~ run ]]; then echo "B <$name>"; fi
  if [[ ! "$name" =~ "(n)" ]]; then echo "C <$name>"; fi
  if [[ $name =~ ^.un[[:digit:]]?$|txt$ ]]; then echo "D <$name>"; fi
  if [[ $name =~ " " ]]; then echo "E <$name>"; fi
  if [[ $name =~ [^a-z0-9] ]]; then echo "F <$name>"; fi
  if [[ $name =~ ^$ ]]; then echo "G <$name>"; fi
done
