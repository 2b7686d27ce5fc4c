#!/bin/bash
#SBATCH --job-name=options
SIZE=small
while [ $# -gt 0 ]; do
  key="$1"
  case $key in
    -s|--size)
      SIZE="$2"
      shift
      shift
      ;;
    --out)
      OUT=$2
      shift 2
      ;;
    --dry-run)
      DRY=true
      shift
      ;;
    *)
      echo "unknown option $key"
      exit 2
      ;;
  esac
done
python -c 'import sys; print(sys.argv[1:])' "$SIZE" "$OUT" "$DRY"
