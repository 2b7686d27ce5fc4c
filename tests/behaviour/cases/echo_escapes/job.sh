#!/bin/bash
#SBATCH --ntasks=1
echo -e "a\tb\n\ttwo\\n"
echo -e 'x\x41\0102\q' "\e[1mbold\e[0m"
echo -e plain
echo -e "of job $SLURM_JOB_NUM_NODES\n---"
echo -en "no end\n"
echo -e "stop\chere"
echo
echo "left \n alone"
