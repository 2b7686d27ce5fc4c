#!/bin/bash
#SBATCH --job-name=extglob
shopt -s extglob expand_aliases
touch a.one b.two
sh -c 'echo plain'
sh -c 'echo "$*"' sh *.one
case a.one in *.one) sh -c 'echo one' ;; esac
