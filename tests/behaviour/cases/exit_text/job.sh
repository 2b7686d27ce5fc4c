#!/bin/bash
#SBATCH --job-name=exit_text
echo one
exit abc
