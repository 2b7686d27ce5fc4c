#!/bin/bash
#SBATCH --job-name=globals
set_it() { VALUE=inner; local HIDDEN=x; }
VALUE=outer
set_it
python show.py "$VALUE" "${HIDDEN:-unset}"
