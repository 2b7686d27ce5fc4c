#!/bin/bash
#SBATCH --job-name=ask_cd_among
mkdir -p sub
cd sub && python show.py in > here.txt && cd .. && python show.py out > there.txt
[ -d sub ] && cd sub && python ../show.py again > again.txt
ls *.txt
cd ..
cd nowhere && python show.py never > never.txt
[ -d sub ] && cd nowhere && echo never
ls *.txt
cd nowhere || exit
echo never
