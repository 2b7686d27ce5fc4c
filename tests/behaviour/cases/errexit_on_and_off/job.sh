#!/bin/bash
#SBATCH --job-name=off
set -e
sh -c 'echo first'
set +e
sh -c 'echo second; exit 6'
rc=$?
set -e
echo "rc $rc"
if sh -c 'exit 1'; then echo no; fi
set +e
sh -c 'exit 9'
