#!/bin/bash
#SBATCH --job-name=function_errexit_list
set -e
DEBUG=
debug() { [ -n "$DEBUG" ] && printf 'debug: %s\n' "$*"; }
printf 'a\n'
debug one
printf 'not reached\n'
