#!/bin/bash
#SBATCH --job-name=trap_exit_doubled
DIR=scratch
mkdir $DIR
trap "rm -rf ${DIR}; printf 'gone\n'" EXIT
ls -d scratch
