#!/bin/bash
#SBATCH --job-name=heredoc_quoted
cat <<'EOT' > config.yaml
name: $NAME
path: `pwd`
back: \slash
EOT
cat config.yaml
