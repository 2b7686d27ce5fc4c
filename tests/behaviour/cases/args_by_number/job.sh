#!/bin/bash
printf '<%s>' "$@"; echo
echo "count $#"
first=$1
if [ $# -lt 2 ]; then
  echo "too few" 
fi
if [ -z "$3" ]; then
  echo "no third"
fi
printf '<%s>' "$first" "$2" "$9" end; echo
printf '<%s>' $2 $9 x$2.y end; echo
printf '<%s>' "${@:2}"; echo
printf '<%s>' "$*"; echo
echo all "$@" and $*
echo $(( $# * 2 ))
MODE=${4:-fast}
echo "$MODE"
for each in "$@"; do echo "[$each]"; done
