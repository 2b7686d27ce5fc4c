#!/bin/bash
#SBATCH --job-name=kept_function_at_top
say() {
  echo "said $1 $LEVEL"
}
LEVEL=3
python show.py first
say hello
python show.py second
