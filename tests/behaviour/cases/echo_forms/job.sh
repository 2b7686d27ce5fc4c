#!/bin/bash
#SBATCH --job-name=echo
echo -n "no newline "
echo -e "tab\tend"
echo "back\\slash \n stays"
echo
echo -- dashes
echo "a  b"   c
echo -en 'x\ny\n'
echo '-n'
