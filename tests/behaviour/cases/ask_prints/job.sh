#!/bin/bash
#SBATCH --job-name=ask_prints
echo one && python show.py two && echo three
[ -f nothing.txt ] && echo there || echo "not there"
[ -f job.txt ] || [ -d . ] && echo "a directory" || echo "no directory"
[ ! -d out ] && echo "making it" && mkdir -p out
echo four || echo never
MODE=fast && python show.py "$MODE"
[ "$MODE" = fast ] && LEVEL=3 || LEVEL=4
python show.py "$LEVEL"
[ "$MODE" = slow ] && LEVEL=5 || LEVEL=6
python show.py "$LEVEL"
echo five && false || echo six
echo "$(echo inner)" && exit 3
echo never
