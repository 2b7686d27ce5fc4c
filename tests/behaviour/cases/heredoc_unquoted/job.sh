#!/bin/bash
#SBATCH --job-name=heredoc
NAME="my run"
cat > config.yaml <<EOT
name: $NAME
double: "${NAME}"
escaped: \$NAME
sum: $((1 + 2))
EOT
cat config.yaml
