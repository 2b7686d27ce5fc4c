#!/bin/bash
#SBATCH --job-name=fit
#SBATCH --mem=4G
set -e
usage() {
  echo "usage: sbatch fit.sh --data DATA [--rate RATE] [--dry-run]"
}
RATE=0.1
# What the caller says goes before the defaults.
while [ $# -gt 0 ]; do
  case "$1" in
    -d|--data) DATA="$2"; shift 2 ;;
    --rate) RATE="$2"; shift 2 ;;
    --dry-run) DRY_RUN=yes; shift ;;
    -h|--help) usage; exit 0 ;;
    *) echo "unknown option $1"; usage; exit 1 ;;
  esac
done
if [ -z "$DATA" ]; then
  echo "no data" >&2
  exit 1
fi
python fit.py --data "$DATA" --rate $RATE --output_dir fits/a ${DRY_RUN:+--dry-run}
