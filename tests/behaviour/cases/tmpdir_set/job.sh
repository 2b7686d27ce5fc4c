#!/bin/bash
#SBATCH --job-name=tmpdir_set
export TMPDIR=$PWD/tmp
mkdir -p $TMPDIR
sh -c 'basename $TMPDIR'
TMPDIR=$TMPDIR/deeper
echo "${TMPDIR##*/}"
sh -c 'basename $TMPDIR'
