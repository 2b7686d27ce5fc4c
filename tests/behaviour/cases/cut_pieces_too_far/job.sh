#!/bin/bash
#SBATCH --job-name=cut_pieces_too_far
for NAME in sample ab; do
  echo "at $NAME"
  python show.py "${NAME:2:-4}"
done
for NAME in sample ab; do
  echo "at $NAME"
  python show.py "${NAME:0:-4}"
done
echo never
