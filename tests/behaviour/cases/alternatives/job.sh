#!/bin/bash
#SBATCH --job-name=alternatives
A=
B=value
for NAME in one ""; do
  python show.py "${NAME:+given}" "${A:+given}" "${B:+-b $B}" "x${NAME:+ -n $NAME}"
done
python show.py "${CUDA_VISIBLE_DEVICES+set}" "${PATH+set}" "${NEVER_SET+set}"
[ -z "${NEVER_SET+x}" ] && echo unset || echo set
if [ -n "${PATH+x}" ]; then echo "a path"; fi
for NAME in one "" "two words"; do
  python show.py before ${NAME:+--name} ${NAME:+$NAME} ${B:+--value $B} ${A:+--never} after
  python show.py ${NAME:+"--name $NAME"} end
  echo x ${NAME:+y} z
done
