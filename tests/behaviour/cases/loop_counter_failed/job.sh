#!/bin/bash
#SBATCH --job-name=counter
failed=0
for code in 0 3 4; do
    if ! python end.py $code; then
        failed=$((failed + 1))
        echo "failed $code"
    fi
done
echo "$failed failed"
[ $failed -eq 0 ]
