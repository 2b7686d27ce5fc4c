#!/bin/bash
#SBATCH --job-name=seconds_forms
begin=$SECONDS
sleep 1.1
if [ $SECONDS -ge 1 ]; then echo "a second has passed"; fi
SECONDS=0
echo "$SECONDS after setting it"
for i in 1 2; do
    start=$SECONDS
    took=$((SECONDS - start))
    echo "step $i took $took s, $((took / 60)) min"
done
SECONDS=3600
echo "$((SECONDS / 3600)) h"
echo "begun at $begin"
[ "$EPOCHSECONDS" -gt 1000000000 ] && echo "after 2001"
