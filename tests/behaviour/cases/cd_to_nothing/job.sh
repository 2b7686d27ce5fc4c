#!/bin/bash
#SBATCH --job-name=cd_to_nothing
NOWHERE=
HOME_OF_JOB=$PWD
cd $NOWHERE
[ "$PWD" = "$HOME" ] && echo "at home"
cd ~
[ "$PWD" = "$HOME" ] && echo "still at home"
cd "$HOME_OF_JOB"
cd
[ "$PWD" = "$HOME" ] && echo "home again"
cd "$HOME_OF_JOB" || exit
python show.py back
