#!/bin/bash
#SBATCH --job-name=errexit_declared_outputs
set -e
readonly A=$(false)
printf 'one\n'
L=($(true | false))
printf 'bash ends before this unless pipefail is off\n'
M=(x $(false))
printf 'not reached\n'
