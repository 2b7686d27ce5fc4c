#!/bin/bash
#SBATCH --job-name=command_builtin
command python show.py x
command -v no_such_program || echo missing
type python > /dev/null && echo there
