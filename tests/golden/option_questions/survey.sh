#!/bin/bash
#SBATCH --job-name=survey
#SBATCH --account=physics --wckey=thesis
#SBATCH --constraint="skylake&ib" --prefer=nvme
#SBATCH --nodelist=node04 --exclude=node17
#SBATCH --reservation=workshop
#SBATCH --exclusive
#SBATCH --threads-per-core=1 --mem-bind=local
#SBATCH --signal=B:USR1@300
#SBATCH --begin=now+1hour
#SBATCH --deadline=now+3days
#SBATCH --time=12:00:00 --time-min=04:00:00
#SBATCH --dependency=afterok:4711
#SBATCH --requeue --gres=gpu:a100:2
#SBATCH --input=readings.txt
#SBATCH --nice=50 --comment="spring term" --profile=task --acctg-freq=task=10
#SBATCH --get-user-env --propagate=STACK
#SBATCH --chdir=.
python3 survey.py
