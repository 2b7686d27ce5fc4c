#!/bin/bash
#SBATCH --job-name=getopts_bad
while getopts ":e:" opt; do
    case $opt in
        e) EPOCHS=$OPTARG ;;
        \?) echo "bad option $OPTARG"; exit 3 ;;
        :) echo "no value for $OPTARG"; exit 4 ;;
    esac
done
