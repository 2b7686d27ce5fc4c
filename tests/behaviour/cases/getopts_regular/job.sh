#!/bin/bash
#SBATCH --job-name=getopts
EPOCHS=1
NAME=base
while getopts "e:n:v" opt; do
    case $opt in
        e) EPOCHS=$OPTARG ;;
        n) NAME=$OPTARG ;;
        v) set -x ;;
        *) exit 1 ;;
    esac
done
shift $((OPTIND - 1))
python train.py --epochs "$EPOCHS" --name "$NAME"
python show.py "$@"
