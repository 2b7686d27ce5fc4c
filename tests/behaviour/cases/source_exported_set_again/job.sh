#!/bin/bash
#SBATCH --ntasks=1
mkdir -p conf
echo 'export SIZE=1; NAME=plain; OTHER=read' > conf/settings
CONFIG=conf/settings
source "$CONFIG"
SIZE=2
NAME=other
sh -c 'echo "${SIZE-unset}" "${NAME-unset}"'
printf '%s\n' "$SIZE" "$NAME" "$OTHER"
