#!/bin/bash
#SBATCH --job-name=forms
source /opt/site/setup.sh
cat > config.txt <<EOF
mode = $1
EOF
case $1 in
  fast | quick) python show.py --fast ;;
  *.cfg) python show.py "$1" ;;
  *) echo "no mode $1" ;;
esac
lines=$(wc -l < config.txt)
while read -r line; do
  python show.py "$line" "$lines"
done < config.txt
for ((part = 0; part < 8; part++)); do
  python show.py "part $part" || exit
done
until [ -f done.txt ]; do
  touch done.txt
done
python - <<'EOF'
print("from the script")
EOF
status=0
python show.py last || status=$?
if [ $status -ne 0 ]; then
  echo "failed with $status"
fi
exit $status
