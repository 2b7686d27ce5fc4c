#!/bin/bash
mkdir -p run/deep
PLACE=$(echo run)
cd $PLACE
echo "in ${PWD##*/}"
here=$(pwd)
cd deep
basename "$PWD"
basename "$here"
cd ../deep/./..
basename $PWD
cd nowhere
basename "$(pwd)"
for part in deep none; do
  cd "$here/$part"
  echo "at $(basename "$PWD")"
  touch "$PWD/mark_$part"
done
[ "$PWD" = "$here" ] && echo back
export WHERE=$PWD/x
cd "$here"
sh -c 'basename $(dirname "$WHERE")'
