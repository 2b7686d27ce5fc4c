#!/bin/bash
#SBATCH --job-name=for_words_apart
for word in $@; do
    python show.py "$word"
done
LIST=(one "two three" "data/*.txt" "")
for item in ${LIST[@]}; do
    echo "<$item>"
done
for item in ${LIST[*]}; do
    python show.py $item
done
where=$1
for file in $where/*.txt; do
    echo "file $file"
done
text=$(cat data/a.txt)
for line in x$text; do
    echo "line $line"
done
for word in "$1" $2 end; do
    echo "word $word"
done
python show.py ${LIST[@]} "${LIST[@]}"
