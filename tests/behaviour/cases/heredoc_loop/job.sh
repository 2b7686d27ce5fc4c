#!/bin/bash
#SBATCH --job-name=heredoc_loop
for i in 1 2; do
  cat > "conf_$i.txt" <<EOF
seed = $i
EOF
  python copy_in.py < "conf_$i.txt"
done
