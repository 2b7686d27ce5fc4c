#!/bin/bash
#SBATCH --job-name=path
mkdir -p "my bin"
printf '#!/bin/sh\necho mine "$@"\n' > "my bin/tool"
chmod +x "my bin/tool"
case x in
x) PATH=$PWD/"my bin":$PATH ;;&
*) true ;;
esac
tool a 'b c'
