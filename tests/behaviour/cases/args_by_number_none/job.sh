#!/bin/bash
if [ "$#" -eq 0 ]; then
  echo "nothing: $1|"
fi
printf '<%s>' a "$1" $1 "$@" $@ b; echo
echo "all $*"
x=$2
printf '<%s>' $x "${x}"; echo
(( $# > 0 )) || echo none
[ $# -ne 0 ] && exit 3
exit 2
