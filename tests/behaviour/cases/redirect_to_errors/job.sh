#!/bin/bash
#SBATCH --job-name=redirect_to_errors
echo "said to errors" >&2
>&2 echo "said, too"
python show.py a >&2
python show.py b 1>&2
python end.py 3 >&2 || echo "failed $?"
python both.py >&2 2>errors.txt
python both.py 2>both.txt >&2
NAME=all.txt
python both.py >& $NAME
echo plain 2>&1
python show.py a | python show.py b >&2
echo done
