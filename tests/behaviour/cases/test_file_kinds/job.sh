#!/bin/bash
#SBATCH --job-name=kinds
mkdir -p d
touch empty.txt
[ -e d ] && echo d exists
[ -s empty.txt ] || echo empty
[ -r empty.txt ] && echo readable
[ -x /bin/sh ] && echo executable
[ -L empty.txt ] || echo no link
[ -f "empty.txt" -a ! -d empty.txt ] && echo both
