#!/bin/bash
#SBATCH --job-name=calls_all
show() {
  printf 'showing %s\n' "$#"
  python3 show.py "$@"
  python3 show.py "$*" x$*
}
show a "b c"
show '' d
