#!/bin/bash
#SBATCH --job-name=align
#SBATCH --cpus-per-task=4
#SBATCH --tmp=20G
# Work on the node's own disk.
GENOMES=/project/$USER/genomes
cp $GENOMES/ref.fa /project/reads/s1.txt $TMPDIR
cp -r /project/tables /project/more.d $TMPDIR
tar -xzf /project/index.tgz -C $TMPDIR
cd $TMPDIR
python $SLURM_SUBMIT_DIR/align.py ref.fa s1.txt > s1.sam 2> s1.log
[ -f s1.bam ] && exit 0
rsync -a results/ /scratch/$USER/run7
cp s1.sam /project/out/
