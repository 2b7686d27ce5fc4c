#!/bin/bash
#SBATCH --job-name=subshell_directory
NAME=outer
( cd sub && python ../where.py && ls )
python where.py
(
    cd sub
    HERE=inside
    echo "$HERE" > made.txt
    (
        cd deep
        python ../../where.py
        cd ..
        ls
    )
    python ../where.py
)
python where.py
( cd missing; python where.py )
( NAME=inner; echo $NAME )
echo $NAME
cd sub
( cd ..; python where.py )
for i in 1 2; do
    ( cd deep && echo $i >> count.txt )
done
cat deep/count.txt
python ../where.py
for i in 1 2; do
    ( cd deep; count=$i; ls | head -n 1 )
    (
        echo "in $i"
        continue
        echo never
    )
    echo "behind $i"
    ( echo "was $seen"; seen=$i )
done
python ../where.py
