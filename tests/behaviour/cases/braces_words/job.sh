#!/bin/bash
#SBATCH --job-name=braces
python show.py a{1,2}{x,y} {1..4} {08..11} {5..1..2} {a..e..2} x{,1} {one} {1..3}.txt "{a,b}" {-2..2}
mkdir -p out/{train,test}
for i in {01..03}; do python show.py run_$i; done
for i in {3..1}; do echo $i; done
B={a,b}
echo $B
ls out
