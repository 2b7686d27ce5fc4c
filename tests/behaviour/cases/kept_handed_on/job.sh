#!/bin/bash
#SBATCH --ntasks=1
case $HOSTNAME in
*) STAGE="a  b" ;;&
x) STAGE=none ;;
esac
sh -c 'echo between "${STAGE-unset}"'
if [ -f missing.txt ]; then MODE=there; fi
case $HOSTNAME in
*) printf '<%s>' "$STAGE" "$MODE"; echo; STAGE="$STAGE*" ;;&
x) true ;;
esac
sh -c 'echo between "${STAGE-unset}"'
[ -f missing.txt ] || MODE=second
sh -c 'echo between "${MODE-unset}"'
case $HOSTNAME in
*) printf '<%s>' "$STAGE" "$MODE"; echo ;;&
x) true ;;
esac
sh -c 'exit 3'
