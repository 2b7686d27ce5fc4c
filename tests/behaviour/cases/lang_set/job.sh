#!/bin/bash
#SBATCH --job-name=lang_set
LANG=C
echo $LANG
sh -c 'echo "$LANG"'
