#!/bin/bash
#SBATCH --job-name=test_file_modes
python show.py x > plain.txt
ln -s plain.txt link.txt
ln -s nowhere broken.txt
chmod +x plain.txt
mkdir dir
for name in plain.txt link.txt broken.txt dir none.txt ""; do
  if [ -L "$name" ]; then echo "L $name"; fi
  if [ -h "$name" ]; then echo "h $name"; fi
  if [ -x "$name" ]; then echo "x $name"; fi
  if [ -r "$name" ]; then echo "r $name"; fi
  if [ -w "$name" ]; then echo "w $name"; fi
  if [[ -e $name || -L $name ]]; then echo "e $name"; fi
done
chmod -x plain.txt
[ -x plain.txt ] || echo "no program"
