#!/bin/bash
#SBATCH --job-name=read_text
list="b
a  c
"
while read -r line; do
    echo "<$line>"
done <<< "$list end"
while read -r word rest; do
    echo "$word+$rest"
done <<EOF
one $list
  three 4 5
EOF
while read -r line; do echo "($line)"; done <<< ""
