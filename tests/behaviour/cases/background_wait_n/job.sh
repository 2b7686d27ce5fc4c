#!/bin/bash
#SBATCH --job-name=wait_each
pids=()
for code in 0 4; do
    python end.py $code > $code.txt &
    pids+=($!)
done
failed=0
for pid in "${pids[@]}"; do
    wait $pid || failed=$((failed + 1))
done
exit $failed
