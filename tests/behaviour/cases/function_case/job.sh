#!/bin/bash
#SBATCH --job-name=function_case
pick() {
  LAST=none
  case "$1" in
  train | fit) printf 'train %s\n' "$2"; LAST=$1 ;;
  eval) printf 'eval %s\n' "$2" ;;
  data*) printf 'data %s\n' "$2"; LAST=d ;;
  *) printf 'other %s\n' "$1" ;;
  esac
  printf 'last %s\n' "$LAST"
}
pick train one
pick eval two
pick data3 three
pick none four
