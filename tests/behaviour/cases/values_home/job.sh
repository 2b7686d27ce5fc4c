#!/bin/bash
#SBATCH --job-name=home
DIR=$HOME/data
mkdir -p "$DIR"
echo x > "$DIR/made.txt"
ls $DIR ~/data
