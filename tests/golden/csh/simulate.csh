#!/bin/csh -f
#SBATCH --job-name=simulate
#SBATCH --cpus-per-task=4
#SBATCH --mem=6G
#SBATCH --time=2:00:00

set steps = 3
foreach step (`seq $steps`)
    echo "step $step"
end
