#!/bin/bash
#SBATCH --job-name=directory_computed
for i in 1 2; do
  f=close/r_$i.csv
  if [ ! -e $f ]; then
    echo h > $f
  fi
  echo "$i,x" >> $f
done
python show.py a > out_$SLURM_JOB_NAME/log
echo x > nothere/y
echo "status $?"
cat > conf/x.yaml <<EOF
a: 1
EOF
echo end
