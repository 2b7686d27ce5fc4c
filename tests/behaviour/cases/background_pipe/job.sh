#!/bin/bash
#SBATCH --job-name=background_pipe
python show.py a b | cat > direct.txt
(python show.py a b | tr a-z A-Z) &
wait
python show.py "$(cat direct.txt)"
