#!/bin/bash
#SBATCH --job-name=home_set
HOME=$PWD/home
mkdir -p "$HOME/data"
echo one > ~/data/a.txt
cat "$HOME/data/a.txt"
sh -c 'echo "${HOME##*/}"'
cd
basename "$PWD"
cd ~/data && ls
HOME=
sh -c 'echo "[$HOME]"'
