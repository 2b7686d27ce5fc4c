#!/bin/bash
#SBATCH --job-name=align
#SBATCH --cpus-per-task=4

start=$SECONDS
set -a
source settings.env
set +a
shopt -s nullglob
reads=(reads/*.fq)
for ((i = 0; i < ${#reads[@]}; i++)); do
    ./align "${reads[$i]}" > "aligned.$i.txt"
done
ls aligned.*.txt | while read -r file; do
    ./index "$file"
done
while IFS=, read -r sample group rest; do
    ./report --sample "$sample" --group "$group" --rest "$rest"
done < samples.csv
pushd reports > /dev/null
./merge
popd > /dev/null
echo "took $(( (SECONDS - start) / 60 )) minutes"
