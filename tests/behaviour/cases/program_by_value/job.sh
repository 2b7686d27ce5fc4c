#!/bin/bash
#SBATCH --job-name=program
TOOL=$(command -v python || echo python)
BIN=./bin
mkdir -p bin
printf '#!/bin/sh\necho "tool $*"\nexit 3\n' > bin/tool
chmod +x bin/tool
if [ -d bin ]; then WHERE=$PWD/bin; else WHERE=/nowhere; fi
$WHERE/tool a b
"$WHERE/none" x
for p in ./bin/tool cat; do
    $p bin/none
done
$BIN/tool last
