#!/bin/bash
#SBATCH --job-name=subshell_status
( cd sub; false )
echo "status $?"
( cd missing && echo there )
echo "status $?"
( cd sub; exit 3 ) || echo "left"
( cd sub; ls none.txt )
