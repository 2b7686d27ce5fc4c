#!/bin/bash
#SBATCH --job-name=pipe_loop_lines
ls data | while read -r name; do
    echo "<$name>"
    cat "data/$name"
done
sort data/a.txt | head -n 2 | while read first rest; do
    echo "$first: $rest"
done
echo "status $?"
true | while read -r line; do echo never; done
ls nowhere 2> /dev/null | while read -r line; do echo never; done
echo "status $?"
