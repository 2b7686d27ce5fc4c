#!/bin/bash
#SBATCH --job-name=cut_pieces
for NAME in sample_12345 ab "" x äöü; do
  python show.py "${NAME: -5}" "${NAME: -1}" "${NAME:2}" "${NAME:0:1}" "${NAME: -3:2}" "${NAME:1:3}"
done
for NAME in sample_12345 longer_name; do
  python show.py "${NAME::-1}" "${NAME:2:-4}" "${NAME:0:-6}" "${NAME: -6:-2}"
done
WORD=text
python show.py "${WORD: -3}" "${WORD::-1}" "${WORD: -9}x" "${WORD:9}x"
