#!/bin/bash
#SBATCH --job-name=steps
#SBATCH --ntasks=3
# three simulations at once
for seed in 1 2 3; do
  srun -n1 --exclusive python sim.py --seed $seed &
done
wait
python serve.py > serve.log 2>&1 &
server=$!
python ask.py a > a.txt &
python ask.py b > b.txt
wait $server
