#!/bin/bash
#SBATCH --job-name=if_flag
DEBUG=false
CACHE=true
if $CACHE; then
    python show.py cache
else
    python show.py no cache
fi
if [ -f data.txt ]; then
    DEBUG=true
fi
if $DEBUG; then
    python show.py debug
fi
$DEBUG && echo "is on"
if ! "$DEBUG"; then
    echo off
fi
[ -f none.txt ] && CACHE=false
$CACHE || echo "not cached"
while $DEBUG; do
    echo once
    DEBUG=false
done
$DEBUG || echo "is off"
