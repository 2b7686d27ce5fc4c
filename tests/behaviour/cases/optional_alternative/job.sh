#!/bin/bash
#SBATCH --ntasks=1
python3 show.py ${EXTRA:+--config "$EXTRA"} end
python3 show.py "${EXTRA:+set}" "${EXTRA:-}" ${EXTRA-}
