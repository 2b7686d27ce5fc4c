#!/bin/bash
#SBATCH --ntasks=1
mkdir -p sub
NAME=outer
case $HOSTNAME in
*) WHERE=$(cd sub && NAME=inner && exit 4); echo "$NAME" $? ;;&
x) true ;;
esac
sh -c 'basename "$PWD" | grep -c "^sub$"'
(cd sub; NAME=inner; export NAME; umask 077; shopt -u nullglob; for x in a; do :; done; trap 'echo out' EXIT)
sh -c 'echo "${NAME-unset}"; umask'
echo "$NAME" | while read -r word; do cd sub; NAME=$word-read; done
case $NAME in
outer) echo "$NAME"; false ;;&
x) true ;;
esac
sh -c 'echo last'
