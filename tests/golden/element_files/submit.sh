#!/bin/bash
CALLS=$(sbatch --parsable call.sh)
sbatch --dependency=aftercorr:$CALLS filter.sh
sbatch --dependency=afterok:$CALLS count.sh
