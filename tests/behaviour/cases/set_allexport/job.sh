#!/bin/bash
#SBATCH --job-name=set_allexport
before=1
set -a
during="a b"
import=2
set +a
after=3
during="$during c"
sh -c 'echo "[$before] [$during] [$import] [$after]"'
set -o allexport
more=4
set +o allexport
sh -c 'echo "[$more]"'
