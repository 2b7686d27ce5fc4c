#!/bin/bash
#SBATCH --job-name=tmpdir
cp data.txt $TMPDIR/copy.txt
cat $TMPDIR/copy.txt
rm $TMPDIR/copy.txt
