#!/bin/bash
#SBATCH --job-name=creates
echo old
: > log.txt
echo line >> log.txt
