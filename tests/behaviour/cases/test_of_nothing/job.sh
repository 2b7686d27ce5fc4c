#!/bin/bash
#SBATCH --job-name=test_of_nothing
MODE=
if [ $MODE = fast ]; then echo fast; else echo "not fast"; fi
if [ -z $MODE ]; then echo "empty"; fi
if [ -n $MODE ]; then echo "-n is true all the same"; fi
if [ ! -z $MODE ]; then echo "not empty"; else echo "empty again"; fi
if [ $MODE ]; then echo "a word"; else echo "no word"; fi
[ $MODE == x ] && echo never || echo "an error is false"
if ! [ $MODE = fast ]; then echo "negated outside"; fi
