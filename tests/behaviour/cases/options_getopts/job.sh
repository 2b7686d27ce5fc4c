#!/bin/bash
#SBATCH --job-name=options
RATE=0.10
usage() { echo "usage: job.sh -d DATA [-l RATE] [-v]"; }
while getopts "d:l:vh" option; do
  case $option in
    d) DATA=$OPTARG ;;
    l) RATE="${OPTARG}" ;;
    v) VERBOSE=yes ;;
    h) usage; exit 0 ;;
    \?) usage; exit 2 ;;
  esac
done
shift $((OPTIND - 1))
python -c 'import sys; print(sys.argv[1:])' --data "$DATA" --rate $RATE --verbose "${VERBOSE:-no}"
if [ -z "$DATA" ]; then
  echo none
fi
