#!/bin/bash
# Train every combination, then report; a check of each beside it.
SEEDS=${1:-2}
mkdir -p logs
ids=()
for lr in 0.1 0.01; do
  for seed in $(seq 1 "$SEEDS"); do
    id=$(sbatch --parsable --job-name="train_$lr" train.sh "$lr" "$seed")
    ids+=("$id")
    sbatch --dependency="afternotok:$id" <<EOF
#!/bin/bash
#SBATCH --time=5
echo "look at $lr, $seed on \$SLURM_JOB_NODELIST"
EOF
  done
done
if [ "$SEEDS" -gt 1 ]; then
  sbatch --dependency=afterok:$(IFS=:; echo "${ids[*]}") report.sh
else
  sbatch --wrap "python say.py one seed" --time=1
fi
sbatch publish.sh
