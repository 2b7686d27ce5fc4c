#!/bin/bash
#SBATCH --job-name=pipeline
#SBATCH --cpus-per-task=4
#SBATCH --time=02:00:00

OUT=results
mkdir -p "$OUT"

log() { echo "[pipeline] $*"; }

die() {
  echo "ERROR: $1" >&2
  log "giving up: $1"
  echo "$1" > failed.txt
  exit 2
}

# Aligns one sample.
# Its status is that of the last program.
align() {
  local sample=$1
  local threads="$2"
  if [ ! -f "$sample.fq" ]; then
    log "no reads of $sample"
    return 3
  fi
  log "aligning $sample"
  bwa mem -t "$threads" ref.fa "$sample.fq" > "$OUT/$sample.sam" # as text
  samtools sort -@ "$threads" -o "$OUT/$sample.bam" "$OUT/$sample.sam" || return 4
  rm -f "$OUT/$sample.sam"
}

[ -f ref.fa ] || die "no reference"
align one 4
status=$?
echo "one ended with $status"
if ! align two 4; then
  log "two failed"
fi
for sample in three four; do
  align "$sample" "$SLURM_CPUS_PER_TASK" || die "$sample"
done
align last 1
