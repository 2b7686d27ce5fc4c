#!/bin/bash
#SBATCH --job-name=ask_writes_file_errexit
set -e
if python end.py 3 > a.txt; then echo yes; else echo no; fi
python end.py 4 > b.txt || echo "it failed"
python end.py 0 > c.txt && echo "it worked"
while python end.py 1 > d.txt; do echo loop; done
python end.py 5 >> e.txt && echo "not said"
echo "still here"
python end.py 7 > f.txt
echo "not here"
