#!/bin/bash
#SBATCH --job-name=conda-block
# >>> conda initialize >>>
__conda_setup="$('/opt/conda/bin/conda' 'shell.bash' 'hook' 2> /dev/null)"
if [ $? -eq 0 ]; then
    eval "$__conda_setup"
else
    if [ -f "/opt/conda/etc/profile.d/conda.sh" ]; then
        . "/opt/conda/etc/profile.d/conda.sh"
    else
        export PATH="/opt/conda/bin:$PATH"
    fi
fi
unset __conda_setup
# <<< conda initialize <<<
ENV=fold
conda activate "$ENV" || source activate $ENV || exit 1
conda install -y -c conda-forge numpy=1.26 "pytorch>=2" cudatoolkit some-tool
python -c 'print(1)'
conda deactivate
