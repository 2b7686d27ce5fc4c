#!/bin/bash
#SBATCH --job-name=function_keyword
function log {
    echo "[log] $*"
}
log "a  b" c
log
