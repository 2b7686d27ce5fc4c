#!/bin/bash
#SBATCH --job-name=patterns
touch b1.log b2.log "c d.log" .hidden.log "[x].log"
mkdir -p "my data" && touch "my data/1.csv" "my data/2.csv"
DIR="my data"
OTHER='b*'
python show.py *.log "$DIR"/*.csv b[!1]*.log b[^2]*.log "*.log" "$OTHER".log *.none
python show.py $OTHER .h*.log */ ./b?.log
for f in "$DIR"/*.csv *.log; do
    python show.py "$f"
done
for f in *.missing; do
    [ -e "$f" ] || echo "nothing: $f"
done
