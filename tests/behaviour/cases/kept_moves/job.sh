#!/bin/bash
#SBATCH --job-name=moves
mkdir -p "one two/three"
case x in
x) cd "one two" ;;&
*) true ;;
esac
sh -c 'basename "$PWD"; touch here.txt'
cd three
sh -c 'basename "$PWD"'
cd - > /dev/null
touch back.txt
