#!/bin/bash
#SBATCH --job-name=defaults
EMPTY=""
SET=yes
python show.py "${EMPTY:-a}" "${EMPTY-b}" "${SET:+c}" "${EMPTY:+d}" "${NEW:=e}" "$NEW" "${NONE+f}"
