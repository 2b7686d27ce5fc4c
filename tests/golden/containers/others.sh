#!/bin/bash
#SBATCH --job-name=others
docker pull ubuntu:22.04
docker run --rm -it --gpus all -v $PWD:/w -w /w -e A=1 --user $(id -u) ubuntu:22.04 ls -l
podman run --rm ubuntu:22.04 pwd
enroot import -o u.sqsh docker://ubuntu:22.04
enroot create -n u u.sqsh
enroot start --rw u true
conda run -n fold python infer.py
uv run infer.py --fast
apptainer run docker://ubuntu:22.04
