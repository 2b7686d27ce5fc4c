#!/bin/bash
a=$(sbatch --parsable job.sh x)
sbatch -d afterok:$a arr.sh
