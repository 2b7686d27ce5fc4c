#!/bin/bash
#SBATCH --job-name=kept_names_without_dollar
END=3
LIMIT=5
printf 'x y\n' > list.txt
python3 -c "print('between')"
for ((i = 1; i <= END; i++)); do
  while read -r a b; do A=$a; done < list.txt
  [[ LIMIT -gt i ]] && printf '%s %s\n' "$i" "$A"
done
python3 -c "print('again')"
if [[ -v LIMIT ]]; then while read -r c; do printf 'set %s\n' "$c"; done < list.txt; fi
N=$(printf '2\n' | cat)
python3 -c "print('more')"
let M=N*3
python3 -c "import sys; print(sys.argv[1:])" "$M"
