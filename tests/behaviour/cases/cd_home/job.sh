#!/bin/bash
#SBATCH --job-name=cd_home
cd
echo x > in_home.txt
cd ~
ls
