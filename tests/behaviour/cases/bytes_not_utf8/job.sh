#!/bin/bash
#SBATCH --job-name=bytes
printf '\377\n' > raw.bin
printf 'caf\351\n'
