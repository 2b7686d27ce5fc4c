#!/bin/bash
#SBATCH --job-name=cut_by_values
DIR=data/in
END=_R1.fastq
for FILE in data/in/one_R1.fastq data/in/two_R1.fastq other; do
  NAME=${FILE#"$DIR"/}
  SHORT=${NAME%"$END"}
  python show.py "$NAME" "$SHORT" "${FILE#${DIR}/}" "${FILE%_R1*}" "${SHORT%".x"}" "${FILE##*"/"}"
  python show.py "${FILE/$DIR/out}" "${FILE//$END/.txt}" "${FILE/_R1/_$SHORT}" "${FILE//o/}"
  python show.py "${FILE//[aeiou]/_}" "${FILE/[0-9]/N}" "${FILE//[^a-z]/}" "${FILE/i*n/X}" "${FILE//[[:digit:]]/#}" "${FILE//?R/-}"
done
CUT="$1"
for FILE in a/b 'a*' ab; do python show.py "${FILE#"$CUT"}"; done
