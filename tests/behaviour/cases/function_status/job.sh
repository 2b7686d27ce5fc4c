#!/bin/bash
#SBATCH --job-name=function_status
fails() { python3 -c "import sys; sys.exit(3)"; }
ends() { printf 'ending %s\n' "$1"; exit 5; }
fails
printf 'status %s\n' "$?"
fails || printf 'or\n'
if fails; then printf 'yes\n'; else printf 'no\n'; fi
fails && printf 'never\n'
ends now
printf 'not reached\n'
