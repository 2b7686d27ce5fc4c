#!/bin/bash
#SBATCH --job-name=kept_takes
COUNT=$(printf 'a\nb\n' | wc -l)
python3 -c "print('between')"
for word in one two; do
  if [[ $word =~ ^o(.*)$ ]]; then printf '%s %s\n' "$COUNT" "${BASH_REMATCH[1]}"; env | grep -c '^COUNT=' ; fi
done
python3 -c "print('after')"
COUNT=$(printf 'c\n' | wc -l)
[[ $COUNT =~ ^([0-9]+)$ ]] && printf 'now %s\n' "${BASH_REMATCH[1]}"
python3 -c "import sys; print(sys.argv[1:])" "$COUNT"
