#!/bin/bash
#SBATCH --job-name=test_of_pattern
if [ -f one/*.txt ]; then echo "one is there"; fi
if [ -f many/*.txt ]; then echo "many are there"; else echo "many are too many"; fi
if [ ! -f many/*.txt ]; then echo "not many"; else echo "many again"; fi
if ! [ -f many/*.txt ]; then echo "fails"; fi
if [ -f none/*.txt ]; then echo never; else echo none; fi
if [ ! -e none/*.txt ]; then echo "none, again"; fi
[ -d one/*.txt ] || echo "no directory"
[ -s one/*.txt ] && echo "has something"
[ ! -d o*e ] || echo "one is a directory"
[ -d o*e ] && python show.py "found"
test -f many/a.* && echo "just a"
for name in one many none; do
    if [ -f $name/*.txt ]; then
        echo "$name has one"
    elif [ ! -f $name/*.txt ]; then
        echo "$name has none"
    else
        echo "$name has several"
    fi
done
