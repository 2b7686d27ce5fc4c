#!/bin/bash
#SBATCH --job-name=kept_returns
NAME=before
while read -r key value rest; do
  if [[ $key =~ ^n(a)me$ ]]; then NAME=$value; LAST=${BASH_REMATCH[1]}; fi
done < <(printf 'name  sample one\nother x\n')
printf '<%s>\n' "$NAME" "$LAST" $NAME
python3 -c "import sys; print(sys.argv[1:])" "$NAME" $LAST
NAME=$NAME.txt
python3 -c "import sys; print(sys.argv[1:])" "$NAME"
