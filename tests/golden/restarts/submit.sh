#!/bin/bash
# Five runs of four hours each; the next goes on where the last one stopped.
jid=$(sbatch --parsable train.sh)
for i in $(seq 2 5); do
  jid=$(sbatch --parsable --dependency=afterany:$jid train.sh)
done
sbatch --dependency=afterok:$jid report.sh
