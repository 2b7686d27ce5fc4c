#!/bin/bash
#SBATCH --job-name=ask_missing_directory
if python show.py a > nowhere/a.txt; then echo yes; else echo "no file"; fi
python show.py b > nowhere/b.txt || echo "no file: $?"
python show.py c > nowhere/c.txt && echo never
mkdir -p made
python end.py 3 > made/d.txt
echo "status $?"
python end.py 0 2> nowhere/errors.txt | cat
echo "status $?"
if python show.py d | cat > nowhere/d.txt; then echo never; else echo "no file for the last"; fi
