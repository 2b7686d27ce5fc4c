#!/bin/bash
NAMES="a b"
EMPTY=""
touch pre_1.txt pre_2.txt
KIND=$(echo pre)
MORE="x"
if [ -f pre_1.txt ]; then
  NAMES="c d"
  MORE="y  z"
fi
printf '<%s>' out/${NAMES}.txt; echo
printf '<%s>' ${NAMES}_${MORE} tail; echo
printf '<%s>' -n$EMPTY end$EMPTY; echo
printf '<%s>' $EMPTY"q"; echo
printf '<%s>' ${KIND}_* ${KIND}.txt; echo
printf '<%s>' "$NAMES"$MORE; echo
for part in ${MORE}_1 last; do
  printf '<%s>' part_$part; echo
done
echo $NAMES ${MORE}s
