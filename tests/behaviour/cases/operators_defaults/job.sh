#!/bin/bash
#SBATCH --job-name=defaults
#SBATCH --cpus-per-task=2
EMPTY=
SET=value
python show.py "${SLURM_CPUS_PER_TASK:-8}" "${SLURM_NTASKS:-1}" "${EMPTY:-empty}" "${EMPTY-kept}" "${SET:-no}" "${SET:+yes}" "${EMPTY:+yes}" "${NEVER:+yes}" "${SET:?}"
FOUND=$(cat missing.txt 2>/dev/null)
python show.py "${FOUND:-nothing found}"
FOUND=$(echo something)
echo "${FOUND:-nothing found}"
unset SET
echo "[${SET-gone}] [${SET:-gone}] [${SET+there}]"
