#!/bin/bash
#SBATCH --job-name=two
python -c 'import sys; print("out"); print("err", file=sys.stderr)' > a_rather_long_name_of_a_file.out 2> a_rather_long_name_of_a_file.err
python -c 'import sys; print("out"); print("err", file=sys.stderr)' > a.out 2> a.err
cat a.err
