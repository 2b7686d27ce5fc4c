#!/bin/bash
#SBATCH --job-name=no_shebang
chmod +x tool
./tool one "two words"
