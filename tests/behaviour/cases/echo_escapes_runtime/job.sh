#!/bin/bash
printf 'one\\ttwo three' > text.txt
printf 'gone\\chere' > ended.txt
name=$(cat text.txt)
ended=$(cat ended.txt)
size=$(wc -c < text.txt)
echo -e "Name:\t$name\n$size\x21"
echo -ne "no newline: $name "
echo -e "$name" '\\' "tab\tthere"
echo -e plain $name
echo -e "x $ended y"
echo "after"
echo -e "\033[1m$name\033[0m"
for i in a b; do
  echo -e "$i\t$name"
done
