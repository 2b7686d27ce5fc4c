#!/bin/bash
#SBATCH --job-name=pipe_streams
N=7
python both.py 2> first.txt | tr a-z A-Z
python both.py 2>/dev/null | tr a-z A-Z > second.txt
python both.py 2>&1 | tr a-z A-Z 2> third.txt | sort
cat < second.txt | tr A-Z a-z
cat < none.txt | tr A-Z a-z
echo "status $?"
python both.py |& tr a-z A-Z | sort
tr a-z A-Z <<< "a text" | rev
cat <<EOF | tr a-z A-Z 2>/dev/null | rev
lines of
$N text
EOF
nothing_there 2>/dev/null | cat
python both.py 2>> log.txt | cat | python both.py 2>> log.txt
LC_ALL=C sort < second.txt | WHO=me python -c 'import os; print(os.environ["WHO"], os.environ.get("LC_ALL"))'
N=$(tr a-z A-Z < second.txt | wc -l)
M=$(python both.py 2>/dev/null | A=b tr a-z A-Z 2>/dev/null)
K=$(python both.py 2>/dev/null | cat 2>&1)
python show.py "$N" "$M" "$K"
