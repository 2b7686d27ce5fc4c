#!/bin/bash
#SBATCH --job-name=ask_writes_file
if python end.py 0 > first.txt; then echo "first: yes"; else echo "first: no"; fi
if python end.py 3 > second.txt; then echo "second: yes"; else echo "second: no"; fi
if ! python end.py 4 2> third.txt; then echo "third failed"; fi
python show.py a >> log.txt && echo "logged"
python end.py 5 >> log.txt || echo "not logged: $?"
python end.py 0 > fifth.txt && [ -s fifth.txt ] && echo "fifth is there"
if [ -n "$NEVER" ]; then
  echo never
elif python end.py 1 > sixth.txt; then
  echo "sixth: yes"
elif python end.py 0 >> sixth.txt; then
  echo "seventh: yes"
else
  echo neither
fi
python end.py 0 > eighth.txt || exit 8
python show.py "last one" > ninth.txt || exit
python end.py 6 > tenth.txt || exit 1
echo "not reached"
