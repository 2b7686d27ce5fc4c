#!/usr/bin/env python3
#SBATCH --job-name=in_python
import sys
from pathlib import Path

Path("made.txt").write_text("by python\n")
print("python", sys.argv[1:])
sys.exit(4)
