#!/bin/bash
#SBATCH --job-name=comments
# a comment
echo one # not printed
echo "# printed"
echo a#b
#SBATCH --mem=1G
: 'a block
that does nothing'
echo two
