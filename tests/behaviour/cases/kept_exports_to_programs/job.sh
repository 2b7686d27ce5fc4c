#!/bin/bash
#SBATCH --job-name=exports
export FIRST=1
case x in
x)
  export FIRST="two words" SECOND=$(sh -c 'echo "ünï cödé"')
  THIRD=not-exported
  ;;&
*) true ;;
esac
sh -c 'echo "<$FIRST> <$SECOND> <${THIRD-unset}>"'
FIRST=$SECOND
sh -c 'echo "<$FIRST>"'
case x in x) sh -c 'echo "<$FIRST> <$SECOND>"' ;;& *) true ;; esac
unset SECOND
sh -c 'echo "<${SECOND-unset}>"'
