#!/bin/sh
#SBATCH

echo "hello from $(hostname)"
