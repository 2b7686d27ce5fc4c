#!/bin/bash
#SBATCH --job-name=trap_exit_doubled_plain
DIR=scratch
mkdir $DIR
trap "rm -rf ${DIR};" 0
ls -d scratch
sh -c 'exit 2'
