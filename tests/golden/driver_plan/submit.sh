#!/bin/bash
# Train on every data set that is not old; then look at each, and report.
if [ $# -gt 1 ]; then
  echo "usage: submit.sh [PATTERN], which runs sbatch for every file"
  exit 2
fi
export LR=0.1
load_tools="module load tools/1.2"
ids=""
for f in $(ls data_* | grep -v old | grep "${1:-.}"); do
  id=$(sbatch --parsable train.sh "$f")
  ids="$ids:$id"
  look="look_$(basename "$f" .txt).sh"
  cat > "$look" <<EOF
#!/bin/bash
#SBATCH --time=$(wc -l < "$f")
$load_tools
python say.py "look at $f"
EOF
  sbatch --dependency=afternotok:$id "$look"
done
sbatch --dependency=afterany$ids --wrap "python say.py report of $(ls | wc -l | xargs expr 0 '*') files"
