#!/bin/bash
#SBATCH --job-name=nounset
set -u
VALUE=x
sh -c 'echo before'
unset VALUE
case x in x) echo "value: $VALUE" ;;& *) true ;; esac
sh -c 'echo never'
