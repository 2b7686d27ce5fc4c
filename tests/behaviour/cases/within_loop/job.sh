#!/bin/bash
#SBATCH --ntasks=1
# Statements of a loop that stay Bash: what they read, and what they leave.
suffix="out put"
for name in alpha "two words" 'a*b' ""; do
  short=${name^}
  sh -c 'echo "<$1> <$2>"' x "$short" "$suffix"
  sort <(echo "b $name") <(echo "a $suffix")
  sh -c 'echo "again <$1> $?"' x "$short"
done
sh -c 'echo "${short-unset} ${name-unset} ${suffix-unset}"'
echo "$short|$name"
