FLAGS='-a 1  --b *.none'
LEVEL=
DEPTH=3
