#!/bin/bash
#SBATCH --job-name=replace
X="a-b-c"
python show.py "${X/-/+}" "${X//-/}" "${X/#a/z}" "${X/%c/z}" "${#X}"
