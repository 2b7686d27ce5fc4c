#!/bin/bash
#SBATCH --job-name=late
case x in x) false ;;& *) false ;; esac
sh -c 'echo goes on'
set -o errexit
case x in x) sh -c 'echo kept'; false; echo never ;;& *) true ;; esac
sh -c 'echo never'
