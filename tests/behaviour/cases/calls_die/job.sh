#!/bin/bash
#SBATCH --job-name=calls_die
die() {
  printf 'ERROR: %s\n' "$1" >&2
  printf 'dying of %s\n' "$1"
  printf 'status %s\n' "${2:-1}"
  exit 5
}
[ -d /tmp ] || die "no tmp"
[ -f nothing-here.txt ] || die "no file here"
printf 'not reached\n'
die last
