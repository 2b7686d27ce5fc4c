#!/bin/bash
#SBATCH --job-name=options
while [[ $# -gt 0 ]]; do
  case "$1" in
    --config=*)
      config="${1#*=}"
      ;;
    *)
      printf "invalid argument %s\n" "$1"
      exit 1
  esac
  shift
done
echo "config: ${config}"
