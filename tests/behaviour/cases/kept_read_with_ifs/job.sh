#!/bin/bash
#SBATCH --ntasks=1
LINE='one two:three  four'
LIST='a b'
IFS=: read -r LEFT RIGHT REST <<< "$LINE"
sh -c 'printf "<%s>" "$@"; echo' sh $LIST
sh -c 'printf "<%s>" "$@"; echo' sh "$LEFT" "$RIGHT" "$REST"
IFS=, read -ra PARTS <<< "x,y z,,w"
sh -c 'printf "<%s>" "$@"; echo' sh "${PARTS[@]}"
sh -c 'printf "<%s>" "$@"; echo' sh $LIST
